import { count, counted } from '@palimpsest/command-line/count';
import { plainTable } from '@palimpsest/command-line/plain-table';
import type { RunTotals } from '../metrics.ts';

/** Formats the totals of a run as a table. @param wallMs elapsed time in milliseconds */
export function totalsTable(totals: RunTotals, wallMs: number): string {
  const ratio = totals.tokensBefore === 0 ? 1 : totals.tokensAfter / totals.tokensBefore;
  return plainTable(
    ['left', 'right', 'left'],
    [
      ['rows', count(totals.rows), ''],
      ['  under the target', count(totals.skippedUnderTarget), 'untouched'],
      ['  compressed', count(totals.compressed), ''],
      ['  still over the limit', count(totals.stillOverLimit), 'see stillOverLimit in the metrics'],
      ['  failed', count(totals.failed), 'summary failed; unchanged'],
      ['  rejected', count(totals.rejected), 'not trajectories; see the reject file'],
      ['turns', `${count(totals.turnsBefore)} -> ${count(totals.turnsAfter)}`, ''],
      ['tokens', `${count(totals.tokensBefore)} -> ${count(totals.tokensAfter)}`, `${(ratio * 100).toFixed(1)} %`],
      [
        'calls',
        count(totals.calls),
        `${counted(totals.retries, 'retry', 'retries')}, ${counted(totals.errors, 'error')}`,
      ],
      ['seconds', (wallMs / 1000).toFixed(1), `${count((totals.rows / Math.max(1, wallMs)) * 1000)} rows per second`],
    ],
  );
}
