import type { PiMessage } from '@palimpsest/formats';
import { classifyFailure, type Session } from '@palimpsest/session';

/** The fields of an answer in which pi reports its usage in tokens, and refusals. */
interface Answer extends PiMessage {
  readonly stopReason?: string;
  readonly errorMessage?: string;
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}

/** Tells a session what a provider reports with its answer to the last request, or why it refused it. */
export function learnFrom(session: Session, { stopReason, errorMessage, usage }: Answer): void {
  if (stopReason === 'aborted') return;
  if (stopReason === 'error') {
    session.noteRefusal(classifyFailure(new Error(errorMessage)));
    return;
  }
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  session.afterResponse({
    promptTokens: input + cacheRead + cacheWrite,
    completionTokens: output,
    cachedTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  });
}
