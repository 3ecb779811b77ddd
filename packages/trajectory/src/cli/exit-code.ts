import type { RunTotals } from '../metrics.ts';

/** The exit codes of the command. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Returns 3 if rows were rejected or their summary failed, otherwise 0. */
export function exitCodeOf({ rejected, failed }: Pick<RunTotals, 'rejected' | 'failed'>): ExitCode {
  return rejected > 0 || failed > 0 ? 3 : 0;
}
