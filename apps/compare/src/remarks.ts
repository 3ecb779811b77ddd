import { count, counted } from '@palimpsest/command-line/count';
import type { EngineRow } from './run-engine.ts';

/** What the figures of an engine do not say, in sentences. */
export function remarksOn(row: EngineRow): string[] {
  const remarks = [...row.warnings];
  if (row.outcome !== 'compressed') remarks.unshift(`${row.outcome}: ${row.reason}`);
  if (!row.fitsWindow)
    remarks.push(`${count(row.tokensAfter)} tokens do not fit into the window, so a provider would refuse them`);
  if (!row.reachedThreshold && row.outcome !== 'unchanged' && row.outcome !== 'failed')
    remarks.push(
      `an agent would not have compressed yet: ${count(row.tokensBefore)} tokens are below the threshold of ${count(row.thresholdTokens)}; this is what a compression by hand gives`,
    );
  if (row.inheritedViolations > 0)
    remarks.push(
      `${counted(row.inheritedViolations, 'wire violation')} in the input ${row.inheritedViolations === 1 ? 'was' : 'were'} left as found`,
    );
  return remarks;
}
