import { count, formatCount } from '@palimpsest/command-line/count';
import type { EngineRow } from '../measuring/run-engine.ts';

/** Remarks about an engine's result that neither its figures nor the verdict show. */
export function remarksOn(row: EngineRow): string[] {
  const { outcome, reason, tokensBefore, thresholdTokens, reachedThreshold } = row;
  const remarks = outcome === 'compacted' ? [...row.warnings] : [`${outcome}: ${reason}`, ...row.warnings];
  if (!reachedThreshold && outcome !== 'unchanged' && outcome !== 'failed')
    remarks.push(
      `an agent would not have compacted yet: ${count(tokensBefore)} tokens are below the threshold of ${count(thresholdTokens)}; this is the result of a manual compaction`,
    );
  if (!row.fitsWindow)
    remarks.push(`${count(row.tokensAfter)} tokens do not fit into the window, so a provider would reject the request`);
  if (row.wireViolations > 0)
    remarks.push(`the result breaks a rule of the provider ${formatCount(row.wireViolations, 'time')}`);
  return remarks;
}
