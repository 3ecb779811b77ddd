import type { TurnLines } from '@palimpsest/salience';
import { workingState } from '../work/working-state.ts';

/** How the last command of one family ended. */
export interface Verdict {
  /** The family of the command, such as `npm test` or `git push`. */
  readonly family: string;
  /** The command as it was run, on one line. */
  readonly command: string;
  readonly outcome: 'passed' | 'failed' | 'unknown';
  /** The line of the output that says so, verbatim; `''` if none does. */
  readonly line: string;
  /** Names of the failing tests or files, as the output states them. */
  readonly failing: readonly string[];
  /** Index of the message with the result. */
  readonly index: number;
}

/** The last verdict of each command family: failed ones first, then the newest first. */
export function lastVerdicts(turns: TurnLines): Verdict[] {
  const { tests } = workingState(turns);
  return tests
    ? [{ family: 'tests', command: 'tests', outcome: 'unknown', line: tests.text, failing: [], index: tests.index }]
    : [];
}
