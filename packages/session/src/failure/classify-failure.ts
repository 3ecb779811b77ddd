import { classifyProviderError, type ProviderError } from '@palimpsest/provider-errors';
import type { FailureAction, FailureContext, ProviderFailure } from './provider-failure.ts';

/** Classifies the error of a provider call: an SDK's error or a plain one, including its causes. Never throws. */
export function classifyFailure(error: unknown, context: FailureContext = {}): ProviderFailure {
  const { kind, about, planTokens, status, limitTokens, promptTokens, outputTokens, limitBytes, limitPixels } =
    classifyProviderError(error, context);
  const figures = { limitTokens, promptTokens, outputTokens, planTokens, limitBytes, limitPixels };
  return { class: kind, action: actionFor(kind, about), about, status, ...figures };
}

/** Classifies an error response. `body` may be JSON (as text or parsed), plain text, a web page, or empty. */
export function classifyResponse(status: number | null, body: unknown, context: FailureContext = {}): ProviderFailure {
  return classifyFailure({ status, body }, context);
}

function actionFor(kind: ProviderError['kind'], about: ProviderError['about']): FailureAction {
  if (kind === 'context-overflow') return 'compact';
  if (kind === 'output-cap') return 'lower-output';
  if (kind === 'payload-too-large' || kind === 'image-too-large') return 'strip-media';
  if (about === 'reasoning') return 'strip-reasoning';
  return about === 'tool-content' ? 'strip-tool-parts' : 'none';
}
