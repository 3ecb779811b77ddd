import type { RunTotals } from '../metrics.ts';

/** What a process ends with. */
export type ExitCode = 0 | 1 | 2 | 3;

/** 3: everything was done, but rows were rejected, or left as they were because no summary could be had. */
export function exitCodeOf({ rejected, failed }: Pick<RunTotals, 'rejected' | 'failed'>): ExitCode {
  return rejected > 0 || failed > 0 ? 3 : 0;
}
