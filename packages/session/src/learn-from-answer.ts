import type { Usage } from '@palimpsest/core';
import { reasonOf } from './compaction/plan-compaction.ts';
import type { Sent, SessionCore } from './session-core.ts';

/** A report that was believed, for noticing that a server cuts prompts off without a word. */
export interface LastReport {
  readonly promptTokens: number;
  readonly estimatedTokens: number;
  readonly checkpoint: number | null;
  readonly model: string;
  /** True while reports are not believed; said once. */
  readonly doubted: boolean;
}

/** Growth under this says nothing; it adds up over the requests until it is more. Tokens. */
const leastGrowth = 1_000;
/** Of what the estimate grew by, the share a report must have grown by at least. */
const leastGrowthShare = 0.3;
/** Of the estimated text, the share a report must reach at least; estimates of text are not this far off. */
const floor = 0.4;

/**
 * Takes a provider's report on a request that was answered. A report that cannot be of the whole prompt is not believed:
 * the server cut the prompt off, or its figure leaves out the cached part.
 * @returns what to remember of it
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
    // What the session reckons with is the better figure, for the engine's threshold as well.
    tellEngine(core, { ...usage, promptTokens: Math.max(promptTokens, sent.size.tokens) });
    return { ...(before ?? report), doubted: true };
  }
  tellEngine(core, usage);
  core.answeredTokens.set(model, Math.max(core.answeredTokens.get(model) ?? 0, promptTokens));
  core.meter.learn(sent.request, usage, model);
  // Small steps are compared with where they began, or they would never be seen to add up.
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
