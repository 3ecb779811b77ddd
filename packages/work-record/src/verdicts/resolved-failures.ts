import type { FailingLine, TurnLines } from '@palimpsest/salience';
import type { CommandCall } from './command-calls.ts';
import type { Verdict } from './verdicts.ts';

/** Marks error lines as resolved if every known tool that their call ran has passed since. */
export function resolvedByRuns(
  failures: readonly FailingLine[],
  { lines }: TurnLines,
  calls: readonly CommandCall[],
  verdicts: readonly Verdict[],
): FailingLine[] {
  const failing = new Set(verdicts.filter(({ outcome }) => outcome !== 'passed').map(({ family }) => family));
  const passedAt = new Map(
    verdicts.filter(({ outcome }) => outcome === 'passed').map(({ family, index }) => [family, index]),
  );
  const callAt = new Map(calls.map((call) => [call.index, call]));
  const hasPassedSince = (at: number): boolean => {
    const runs = callAt.get(at)?.commands.flatMap(({ run }) => run ?? []) ?? [];
    return runs.length > 0 && runs.every(({ name }) => !failing.has(name) && (passedAt.get(name) ?? -1) > at);
  };
  return failures.map((failure) => ({
    ...failure,
    resolved: failure.resolved || hasPassedSince(lines[failure.line]!.at),
  }));
}
