import type { Usage } from '@palimpsest/core';
import { reasonOf } from './compaction/plan-compaction.ts';
import type { Sent, SessionCore } from './session-core.ts';

/** The last accepted usage report. Used to detect servers that silently truncate prompts. */
export interface LastReport {
  readonly promptTokens: number;
  readonly estimatedTokens: number;
  readonly checkpoint: number | null;
  readonly model: string;
  /** True while usage reports are rejected. The event is emitted only when this becomes true. */
  readonly doubted: boolean;
}

/** Prompt growth below this is inconclusive; it accumulates over requests until it exceeds this. Tokens. */
const leastGrowth = 1_000;
/** Minimum growth of the reported size, as a share of the estimated growth. */
const leastGrowthShare = 0.3;
/** Minimum reported size, as a share of the estimated text. Estimates of text are never this far off. */
const floor = 0.4;

/**
 * Processes the usage report of an answered request. A report too small for the whole prompt is rejected: the server
 * truncated the prompt, or left out cached tokens.
 * @returns the report to compare the next one with
 */
export function learnFromAnswer(
  core: SessionCore,
  sent: Sent | null,
  usage: Usage,
  last: LastReport | null,
): LastReport | null {
  core.lastCachedShare = usage.cachedTokens === undefined ? null : Math.min(1, usage.cachedTokens / usage.promptTokens);
  if (!sent) {
    tellEngine(core, usage);
    return last;
  }
  const record = core.records.find(({ number }) => number === sent.checkpoint);
  if (record?.cachedShareAfter === null) core.replaceRecord(record.number, { cachedShareAfter: core.lastCachedShare });
  const { checkpoint, model } = sent;
  const { promptTokens } = usage;
  const estimate = core.meter.counter.measureRequest(sent.request);
  const estimatedTokens = estimate.total;
  const report: LastReport = { promptTokens, estimatedTokens, checkpoint, model, doubted: false };
  const before = last && last.checkpoint === checkpoint && last.model === model ? last : null;
  const farUnder = estimate.text > leastGrowth && promptTokens < estimate.text * floor;
  if (farUnder || (before && isFlat(before, report))) {
    if (!last?.doubted) core.publish({ type: 'prompt-truncated', promptTokens, estimatedTokens });
    // The session's own estimate is more accurate here, so the engine's threshold uses it too.
    tellEngine(core, { ...usage, promptTokens: Math.max(promptTokens, sent.size.tokens) });
    return { ...(before ?? report), doubted: true };
  }
  tellEngine(core, usage);
  core.answeredTokens.set(model, Math.max(core.answeredTokens.get(model) ?? 0, promptTokens));
  core.meter.learn(sent.request, usage, model);
  // After a small step, keep the earlier report as the baseline, so that small steps add up.
  return before && estimatedTokens - before.estimatedTokens <= leastGrowth && estimatedTokens >= before.estimatedTokens
    ? { ...before, doubted: false }
    : report;
}

function tellEngine(core: SessionCore, usage: Usage): void {
  try {
    core.engine?.updateFromResponse(usage);
  } catch (error) {
    core.publish({ type: 'hook-failed', hook: 'engine.updateFromResponse', reason: reasonOf(error) });
  }
}

/** The prompt grew and the report did not: the server reads no more than its window, and drops the rest. */
function isFlat(before: LastReport, now: LastReport): boolean {
  const grown = now.estimatedTokens - before.estimatedTokens;
  return grown > leastGrowth && now.promptTokens - before.promptTokens < grown * leastGrowthShare;
}
