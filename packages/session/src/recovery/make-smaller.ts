import { isSystem } from '@palimpsest/core';
import { formatNumber } from '@palimpsest/core/authoring';
import type { PlanningParts } from '../compaction/compaction-planner.ts';
import { cutResults } from '../compaction/cut-results.ts';
import { countUnreadTokens, targetOfPass } from '../compaction/target.ts';
import type { SentRequest } from '../conversation/sent-request.ts';
import type { ProviderFailure } from '../failure/provider-failure.ts';
import type { RequestView } from '../projection/request-view.ts';
import type { PromptMeter } from '../provider/prompt-meter.ts';
import { type Recovery, reportExhausted } from './recovery.ts';
import { stripMedia } from './strip-media.ts';

/** A prompt with more than this share of its refused size left is likely to be refused again. */
const minReduction = 0.9;

/** Compacts a refused request. Strips media or cuts tool results if it is still too large. */
export async function makeSmaller(
  parts: PlanningParts,
  { input }: SentRequest,
  failure: ProviderFailure,
  maxTokens: number | undefined,
): Promise<Recovery> {
  const { viewer } = parts;
  const { turns } = parts.compactions;
  const { caps, model } = parts.provider;
  const { limitBytes: bytes, limitPixels: pixels, planTokens } = failure;
  // A finished plan is already paid for.
  await parts.planner.swapIn(input);
  const before = viewer.view(input);
  const refused = before.size.tokens;
  const room = model.room(input.maxTokens);
  const ceiling = Math.min(room, refused, planTokens ?? Number.POSITIVE_INFINITY);
  const unread = countUnreadTokens(parts, before);
  const targetTokens = targetOfPass(ceiling, turns.attempts, unread);
  const request = { trigger: 'overflow', effort: 'free', force: true, targetTokens } as const;
  const done = await parts.planner.compact(input, before, request);
  const limit = Math.min(ceiling, targetOfPass(refused, turns.attempts, unread));
  const isEnough = viewer.view(input).size.tokens <= Math.max(limit, refused * minReduction);
  // The cap was lowered for the larger prompt, so the old value applies again.
  const restored = caps.originalOf(input.maxTokens ?? maxTokens);
  if (done.checkpoint && isEnough) return { retry: true, maxTokens: restored };
  const isSmaller =
    (await stripMedia(parts, input, { bytes, pixels }, false)) || cutResults(parts, input, limit) !== null;
  if (isSmaller || done.checkpoint) return { retry: true, maxTokens: restored };
  const engineReason = done.planned?.result.report.reason ?? 'The engine failed.';
  return reportExhausted(parts, reasonTooLarge(parts.provider.meter, viewer.view(input), failure, engineReason));
}

/**
 * Why a refused request cannot be made smaller, with the sizes that tell the cause: what the provider counts and allows,
 * what the session counts, and what cannot be removed.
 */
function reasonTooLarge(
  { counter }: Pick<PromptMeter, 'counter'>,
  { request, size }: Pick<RequestView, 'request' | 'size'>,
  { promptTokens, limitTokens, planTokens }: ProviderFailure,
  engineReason: string,
): string {
  const limit = limitTokens ?? planTokens ?? null;
  const counted = promptTokens === null ? '' : `counts ${formatNumber(promptTokens)} tokens and `;
  const allows = limit === null ? 'states no limit' : `allows ${formatNumber(limit)}`;
  const fixed = counter.countRequest({ ...request, messages: request.messages.filter(isSystem) });
  return `The provider ${counted}${allows}. The session counts ${formatNumber(size.tokens)} tokens, of which the system prompt and the tools take ${formatNumber(fixed)}. Nothing more could be removed: ${engineReason}`;
}
