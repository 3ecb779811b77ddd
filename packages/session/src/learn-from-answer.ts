import type { Usage } from '@palimpsest/core';
import { reasonOf } from './compaction/plan-compaction.ts';
import type { Sent, SessionCore } from './session-core.ts';

/** The report before, for noticing that a server cuts prompts off without a word. */
export interface LastReport {
  readonly promptTokens: number;
  readonly estimatedTokens: number;
  readonly checkpoint: number | null;
  readonly model: string;
}

/** Growth under this says nothing. Tokens. */
const leastGrowth = 1_000;

/** Takes a provider's report on a request that was answered. @returns what to remember of it */
export function learnFromAnswer(
  core: SessionCore,
  sent: Sent | null,
  usage: Usage,
  last: LastReport | null,
): LastReport | null {
  try {
    core.engine?.updateFromResponse(usage);
  } catch (error) {
    core.publish({ type: 'hook-failed', hook: 'engine.updateFromResponse', reason: reasonOf(error) });
  }
  core.lastCachedShare = usage.cachedTokens === undefined ? null : Math.min(1, usage.cachedTokens / usage.promptTokens);
  if (!sent) return last;
  const record = core.records.find(({ number }) => number === sent.checkpoint);
  if (record?.cachedShareAfter === null) core.replaceRecord(record.number, { cachedShareAfter: core.lastCachedShare });
  const estimatedTokens = core.meter.counter.countRequest(sent.request);
  const report = { promptTokens: usage.promptTokens, estimatedTokens, checkpoint: sent.checkpoint, model: sent.model };
  if (last && isCutOff(last, report)) {
    core.publish({ type: 'prompt-truncated', promptTokens: usage.promptTokens, estimatedTokens });
    return last;
  }
  const longest = core.answeredTokens.get(sent.model) ?? 0;
  core.answeredTokens.set(sent.model, Math.max(longest, usage.promptTokens));
  core.meter.learn(sent.request, usage, sent.model);
  return report;
}

/** The prompt grew and the report did not: the server reads no more than its window, and drops the rest. */
function isCutOff(last: LastReport, now: LastReport): boolean {
  if (last.checkpoint !== now.checkpoint || last.model !== now.model) return false;
  const grown = now.estimatedTokens - last.estimatedTokens;
  return grown > leastGrowth && now.promptTokens - last.promptTokens < grown * 0.1;
}
