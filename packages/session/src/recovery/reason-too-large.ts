import { isSystem } from '@palimpsest/core';
import { formatNumber } from '@palimpsest/core/authoring';
import type { ProviderFailure } from '../failure/provider-failure.ts';
import type { RequestView } from '../projection/request-view.ts';
import type { PromptMeter } from '../provider/prompt-meter.ts';

/**
 * Why a refused request cannot be made smaller, with the sizes that tell the cause: what the provider counts and allows,
 * what the session counts, and what cannot be removed.
 */
export function reasonTooLarge(
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
