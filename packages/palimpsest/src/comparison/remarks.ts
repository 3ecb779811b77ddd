import { count } from '@palimpsest/command-line/count';
import type { EngineRow } from './run-engine.ts';

/** Remarks about an engine's result that the figures alone do not show. */
export function remarksOn(row: EngineRow): string[] {
  const remarks = furtherRemarksOn(row);
  if (row.outcome === 'failed' || row.outcome === 'aborted' || row.outcome === 'unchanged')
    remarks.unshift(`${row.outcome}: ${row.reason}`);
  if (!row.fitsWindow)
    remarks.push(`${count(row.tokensAfter)} tokens do not fit into the window, so a provider would reject the request`);
  return remarks;
}

/** The remarks that a verdict does not contain. */
export function furtherRemarksOn(row: EngineRow): string[] {
  const remarks = row.outcome === 'degraded' ? [`degraded: ${row.reason}`, ...row.warnings] : [...row.warnings];
  if (!row.reachedThreshold && row.outcome !== 'unchanged' && row.outcome !== 'failed')
    remarks.push(
      `an agent would not have compressed yet: ${count(row.tokensBefore)} tokens are below the threshold of ${count(row.thresholdTokens)}; this is the result of a manual compression`,
    );
  return remarks;
}
