import type { Message } from '@palimpsest/core';
import { createFingerprint } from './fingerprint.ts';
import type { CountableRequest, MessageTokenCounter } from './token-counter.ts';

/** A reported prompt size and what it was reported for, as JSON. */
export interface AnchorRecord {
  /** How many messages the reported prompt held. */
  readonly covers: number;
  /** Fingerprint of exactly those messages. */
  readonly fingerprint: number;
  /** Prompt tokens the provider reported for them, cached ones, system prompt and tools included. */
  readonly promptTokens: number;
  /** What system prompt and tools were estimated at then, so that a change of them can be added. */
  readonly outsideTokens: number;
}

/** A prompt size, and how much of it was reported rather than estimated. */
export interface AnchoredSize {
  /** Tokens of the whole prompt. */
  readonly tokens: number;
  /** Tokens of it that were estimated: all of them when no anchor holds. */
  readonly estimatedTokens: number;
  /** Messages covered by the reported size; 0 when no anchor holds. */
  readonly covers: number;
}

/** Remembers the last reported prompt size and adds only what was appended since. */
export interface UsageAnchor {
  /**
   * Takes a response's usage for the request it answered.
   * @param promptTokens as reported, cached tokens included; ignored unless finite and positive
   */
  record(request: CountableRequest, promptTokens: number): void;
  /** The size of a request: reported plus appended while the covered messages are unchanged, else all estimated. */
  size(request: CountableRequest): AnchoredSize;
  /** The record, for a restart; `null` before any. */
  snapshot(): AnchorRecord | null;
}

/**
 * A {@link UsageAnchor} over a counter: wrong only by the error of what was appended.
 * @param from a record of an earlier process
 */
export function createUsageAnchor(counter: MessageTokenCounter, from: AnchorRecord | null = null): UsageAnchor {
  const fingerprint = createFingerprint();
  let record = from;
  const outside = (request: CountableRequest): number => counter.countRequest({ ...request, messages: [] });
  return {
    record(request, promptTokens) {
      if (!Number.isFinite(promptTokens) || promptTokens <= 0) return;
      const covers = request.messages.length;
      record = {
        covers,
        fingerprint: fingerprint(request.messages, covers),
        promptTokens,
        outsideTokens: outside(request),
      };
    },
    size(request) {
      const { messages } = request;
      if (!record || record.covers > messages.length || fingerprint(messages, record.covers) !== record.fingerprint) {
        const tokens = counter.countRequest(request);
        return { tokens, estimatedTokens: tokens, covers: 0 };
      }
      // Reasoning of the newest turn was in the reported prompt if it was visible; what a new user turn hides again is
      // left in: an overestimate by what the model thought in one turn.
      const appended = appendedTokens(counter, messages, record.covers) + outside(request) - record.outsideTokens;
      return { tokens: Math.max(0, record.promptTokens + appended), estimatedTokens: appended, covers: record.covers };
    },
    snapshot: () => record,
  };
}

function appendedTokens(counter: MessageTokenCounter, messages: readonly Message[], from: number): number {
  let lastUser = messages.length - 1;
  while (lastUser >= from && messages[lastUser]?.role !== 'user') lastUser--;
  let tokens = 0;
  for (let at = from; at < messages.length; at++)
    tokens += counter.countMessage(messages[at]!, { reasoning: at > lastUser });
  return tokens;
}
