import type { PiMessage } from '@palimpsest/formats';
import type { PiAnswer } from './answer.ts';
import type { PiContext, PiModel } from './pi-api.ts';

/** What a request is sent with, in pi's terms. */
export interface PiRequestOptions {
  readonly signal: AbortSignal;
  readonly maxRetries: number;
  readonly transport: 'sse';
  readonly sessionId?: string;
  readonly maxTokens?: number;
  /** Replaces the body that pi has made for the provider. */
  readonly onPayload?: (payload: unknown) => unknown;
}

/** Sends messages to a model of pi. An error is an answer, too. */
export type AskPi = (model: PiModel, messages: readonly PiMessage[], options: PiRequestOptions) => Promise<PiAnswer>;

/** Returns the function that sends requests as pi does; `null` in pi 0.73, which has none for extensions. */
export function askPi({ modelRegistry: registry }: PiContext): AskPi | null {
  if (!registry.streamSimple) return null;
  return (model, messages, options) => registry.streamSimple!(model, { messages }, options).result();
}
