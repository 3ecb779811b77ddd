import type { TurnLines } from '@palimpsest/salience';

const changeDirectory: RegExp = /(?:^|&&\s{0,8}|;\s{0,8})cd\s+("[^"\n]{1,300}"|'[^'\n]{1,300}'|[^\s;&|]{1,300})/g;
const branch: RegExp = /\b(?:On branch|Switched to (?:a new )?branch|checkout -[bB]|switch -c)\s+'?([\w./-]{1,120})/;
const testOutcome: RegExp =
  /\b\d+ (?:passed|failed|passing|failing|tests? (?:passed|failed)|errors?)\b|\btest result:|\bTests?:\s+\d|^(?:PASS|FAIL|ok|not ok)\s+\S.{0,120}$|\bBUILD (?:SUCCESSFUL|FAILED)\b|\bexit(?:ed)?(?: with)?(?: code)?[ :=]\s?\d+/;

/** Of a longer command, only the beginning is searched. Characters. */
const searched = 4_000;
/** Longer lines are output, not a verdict. Characters. */
const longestVerdict = 300;

/** A value and the message that shows it. */
export interface Observed {
  /** Index of the message. */
  readonly index: number;
  readonly text: string;
}

/** The state of the work at the end of the turns; `null` where the turns do not show it. */
export interface WorkingState {
  /** Target of the newest `cd`, with its quotation marks. */
  readonly directory: Observed | null;
  /** The git branch switched to or shown last. */
  readonly branch: Observed | null;
  /** The newest result line that counts passed or failed tests, or gives an exit code. */
  readonly tests: Observed | null;
}

/** Reads the working directory, the git branch and the newest test result. */
export function workingState({ lines, calls }: TurnLines): WorkingState {
  let directory: Observed | null = null;
  let on: Observed | null = null;
  let tests: Observed | null = null;
  for (const { kind, text, call, at: index } of lines) {
    if (kind === 'call')
      for (const found of calls[call]!.target.slice(0, searched).matchAll(changeDirectory))
        directory = { index, text: found[1]! };
    if (kind === 'call' || kind === 'result') {
      const name = branch.exec(text)?.[1];
      if (name !== undefined) on = { index, text: name };
    }
    if (kind === 'result' && text.length <= longestVerdict && testOutcome.test(text))
      tests = { index, text: text.trim() };
  }
  return { directory, branch: on, tests };
}
