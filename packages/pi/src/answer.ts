import type { Usage } from '@palimpsest/core';
import type { PiMessage } from '@palimpsest/formats';
import { classifyFailure, type PreparedRequest, type Session } from '@palimpsest/session';
import type { PageSource } from '@palimpsest/session/adapter';

/** The fields of an answer in which pi reports its usage in tokens, and refusals. */
export interface PiAnswer extends PiMessage {
  /** Its parts. */
  readonly content?: unknown;
  readonly stopReason?: string;
  readonly errorMessage?: string;
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}

/** Tells a session what a provider reports with its answer to a request, or why it refused it. */
export function learnFrom(
  session: Session,
  answer: PiAnswer,
  request: PreparedRequest | undefined,
  source: PageSource | null,
): void {
  const { stopReason, errorMessage } = answer;
  if (stopReason === 'aborted') return;
  if (stopReason === 'error') {
    const error = new Error(errorMessage);
    session.noteRefusal(request ? session.adapter.failureOf(error, request) : classifyFailure(error), request);
  } else session.afterResponse(usageOf(answer), request, source);
}

/** @returns `null` if the provider reported none */
export function usageOf({ usage }: PiAnswer): Usage | null {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  const promptTokens = input + cacheRead + cacheWrite;
  if (promptTokens === 0) return null;
  const counted = { promptTokens, completionTokens: output };
  // pi has zeros for a provider that does not report its cache.
  return cacheRead + cacheWrite === 0 ? counted : { ...counted, cachedTokens: cacheRead, cacheWriteTokens: cacheWrite };
}
