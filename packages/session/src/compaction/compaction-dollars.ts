import type { Usage } from '@palimpsest/core';
import type { ModelPrices } from '@palimpsest/tokens/models';
import { usageDollars } from '@palimpsest/tokens/usage';
import type { CompactionDollars, CompactionRecord } from '../events/compaction-record.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/** Adds an answer to the record of the compaction that it was made with. */
export function noteDollars(
  { compactions: { log, spending } }: SessionParts,
  checkpoint: number | null,
  model: string,
  usage: Usage,
): void {
  const record = log.records.find(({ number }) => number === checkpoint);
  if (!record?.dollars) return;
  const prices = spending.prices(model);
  log.change(record.number, { dollars: prices && dollarsAfter(record, record.dollars, usage, prices) });
}

/** Without the compaction, its removed tokens would have been in the prompt, cached like the prompt before it. */
function dollarsAfter(
  { tokensBefore, tokensAfter, cachedShareBefore }: CompactionRecord,
  { summaries, paid, uncompacted }: CompactionDollars,
  usage: Usage,
  prices: ModelPrices,
): CompactionDollars {
  const removed = Math.max(0, tokensBefore - tokensAfter);
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens = 0 } = usage;
  const whole = promptTokens + removed;
  const isFirst = paid === 0;
  const cached = isFirst
    ? Math.round(whole * (cachedShareBefore ?? 0))
    : cachedTokens === undefined
      ? 0
      : cachedTokens + removed;
  const without: Usage = {
    promptTokens: whole,
    completionTokens,
    cachedTokens: cached,
    cacheWriteTokens: cacheWriteTokens > 0 ? whole - cached : 0,
  };
  return {
    summaries,
    paid: paid + usageDollars(usage, prices),
    uncompacted: uncompacted + usageDollars(without, prices),
  };
}
