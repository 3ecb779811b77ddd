import type { Message } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import type { CountableRequest, MessageTokenCounter } from '../counter/token-counter.ts';

/** A reported prompt size and the messages it was reported for, as JSON. */
export interface AnchorRecord {
  /** Number of messages in the reported prompt. */
  readonly covers: number;
  /** Fingerprint of exactly those messages. */
  readonly fingerprint: string;
  /** Prompt tokens reported by the provider, including cached ones, system prompt and tools. */
  readonly promptTokens: number;
  /** Estimated tokens of system prompt and tools at that time, to account for later changes. */
  readonly outsideTokens: number;
}

/** A prompt size, partly reported and partly estimated. */
export interface AnchoredSize {
  /** Tokens of the whole prompt. */
  readonly tokens: number;
  /** Estimated part of `tokens`: all of them if no anchor applies; negative if the system prompt or tools shrank. */
  readonly estimatedTokens: number;
  /** Number of messages covered by the reported size; 0 if no anchor applies. */
  readonly covers: number;
}

/** Remembers the last reported prompt size, so that only what was appended since has to be estimated. */
export interface UsageAnchor {
  /**
   * Records the reported usage of a request.
   * @param promptTokens as reported, including cached tokens; ignored unless finite and positive
   */
  record(request: CountableRequest, promptTokens: number): void;
  /** Size of a request: reported plus appended if the covered messages are unchanged, otherwise entirely estimated. */
  size(request: CountableRequest): AnchoredSize;
  /** The last record, to be stored for a restart, or `null`. */
  snapshot(): AnchorRecord | null;
}

/**
 * Creates a {@link UsageAnchor}. Its error is that of the estimate for what changed since the last report.
 * @param from a snapshot of an earlier process
 */
export function createUsageAnchor(counter: MessageTokenCounter, from: AnchorRecord | null = null): UsageAnchor {
  let record = from;
  const outside = (request: CountableRequest): number => counter.countRequest({ ...request, messages: [] });
  return {
    record(request, promptTokens) {
      if (!Number.isFinite(promptTokens) || promptTokens <= 0) return;
      const covers = request.messages.length;
      record = {
        covers,
        fingerprint: fingerprintOf(request.messages, covers),
        promptTokens,
        outsideTokens: outside(request),
      };
    },
    size(request) {
      const { messages } = request;
      if (!record || record.covers > messages.length || fingerprintOf(messages, record.covers) !== record.fingerprint) {
        const tokens = counter.countRequest(request);
        return { tokens, estimatedTokens: tokens, covers: 0 };
      }
      // The reported prompt includes the visible reasoning of the newest turn. A new user turn hides it, but it is not
      // subtracted: this overestimates by the reasoning of one turn.
      const appended = countAppended(counter, messages, record.covers) + outside(request) - record.outsideTokens;
      return { tokens: Math.max(0, record.promptTokens + appended), estimatedTokens: appended, covers: record.covers };
    },
    snapshot: () => record,
  };
}

function fingerprintOf(messages: readonly Message[], count: number): string {
  try {
    return fingerprint(messages, count);
  } catch {
    // Cyclic, or no messages: nothing that a provider could have counted.
    return 'unreadable';
  }
}

function countAppended(counter: MessageTokenCounter, messages: readonly Message[], from: number): number {
  let lastUser = messages.length - 1;
  while (lastUser >= from && messages[lastUser]?.role !== 'user') lastUser--;
  let tokens = 0;
  for (let at = from; at < messages.length; at++)
    tokens += counter.countMessage(messages[at]!, { reasoning: at > lastUser });
  return tokens;
}
