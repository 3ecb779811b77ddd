import type { FailingLine, TurnLines } from '@palimpsest/pruner/salience';
import type { LoggedMessage } from '../requests/user-log.ts';
import type { CommandCall } from './command-calls.ts';
import type { Verdict } from './verdicts.ts';

/** Evidence that an error is resolved. */
export interface LaterWork {
  readonly calls: readonly CommandCall[];
  readonly verdicts: readonly Verdict[];
  readonly log: readonly LoggedMessage[];
}

/**
 * Marks error lines as resolved if every known tool that their call ran has passed since, or if the user's request of
 * that turn or of a later one was completed.
 */
export function resolvedSince(
  failures: readonly FailingLine[],
  { lines }: TurnLines,
  { calls, verdicts, log }: LaterWork,
): FailingLine[] {
  const families = (passed: boolean): Verdict[] => verdicts.filter(({ outcome }) => (outcome === 'passed') === passed);
  const failing = new Set(families(false).map(({ family }) => family));
  const passedAt = new Map(families(true).map(({ family, index }) => [family, index]));
  const callAt = new Map(calls.map((call) => [call.index, call]));
  const hasPassedSince = (at: number): boolean => {
    const runs = callAt.get(at)?.commands.flatMap(({ run }) => run ?? []) ?? [];
    return runs.length > 0 && runs.every(({ name }) => !failing.has(name) && (passedAt.get(name) ?? -1) > at);
  };
  const done = log.findLastIndex(({ result }) => result === 'done');
  const doneTo = done < 0 ? -1 : (log[done + 1]?.index ?? Number.POSITIVE_INFINITY);
  return failures.map((failure) => {
    const { at } = lines[failure.line]!;
    return { ...failure, resolved: failure.resolved || at < doneTo || hasPassedSince(at) };
  });
}
