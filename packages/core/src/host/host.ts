import type { HandoffKey } from '../handoff/handoff-signature.ts';
import type { Dialect } from '../messages/validate.ts';
import type { MessageReader } from '../transcript/message-reader.ts';
import { createPersonRecognizer, judgingOriginals, type PersonRecognizer } from '../transcript/person-recognizer.ts';
import { plainReader } from '../transcript/plain-reader.ts';
import type { TokenCounter } from '../transcript/transcript.ts';
import type { ContextEvent } from './event.ts';
import type { Summarizer } from './summarizer.ts';

/** The clock of an engine. It is injected, so that engines are deterministic under test. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after `milliseconds`. The returned function cancels the timer. */
  schedule(callback: () => void, milliseconds: number): () => void;
}

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (callback, milliseconds) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Dependencies injected into an engine. */
export interface EngineHost {
  readonly tokens: TokenCounter;
  /** Writes summaries. Without one, an engine uses its offline writer. It may be set later, so read it in each pass. */
  readonly summarizer?: Summarizer | undefined;
  /** Summarizer that uses the session's main model. Tried once when {@link summarizer} fails. */
  readonly fallbackSummarizer?: Summarizer | undefined;
  /**
   * Masks secrets in newly written text and in text sent to another model. Must be linear and idempotent, work without
   * `this`, and be a stable function reference, because results are memoized per function.
   */
  readonly redact: (text: string) => string;
  /**
   * Separates a person's words from text that a harness, a tool or a document put into a user message. `agentReader` of
   * `@palimpsest/agents` knows many agents.
   */
  readonly reader: MessageReader;
  /**
   * Decides which user messages a person wrote. {@link createHost} wraps it so that it gets original messages, not
   * rewritten copies.
   */
  readonly isFromPerson: PersonRecognizer;
  readonly dialect: Dialect;
  readonly clock: Clock;
  /**
   * Signs the handoffs of this conversation. With a key, unsigned text that looks like a handoff is quoted, and its
   * rules and requests have no authority. Use at least 32 random characters, keep them secret, and keep them as long as
   * the conversation. Sessions create their own key. A function is called for every use, so the key may be set later or
   * change.
   * @default none: handoffs are unsigned, and trusted where engines put them
   */
  readonly handoffKey?: HandoffKey | undefined;
  /** Receives events; must not throw. */
  emit(event: ContextEvent): void;
}

/**
 * Creates a host. Defaults: the system clock, the `openai` dialect, and no event listener; a person wrote any user
 * message in which the reader finds a person's words. Token counter, redactor and reader have no default;
 * `@palimpsest/registry` provides all three.
 */
export function createHost(parts: Pick<EngineHost, 'tokens' | 'redact' | 'reader'> & Partial<EngineHost>): EngineHost {
  // A JavaScript caller may omit the reader.
  const reader: MessageReader = parts.reader ?? plainReader;
  return {
    reader,
    isFromPerson: judgingOriginals(parts.isFromPerson ?? createPersonRecognizer(reader)),
    dialect: parts.dialect ?? 'openai',
    clock: parts.clock ?? systemClock,
    emit: (event) => parts.emit?.(event),
    tokens: parts.tokens,
    redact: (text) => parts.redact(text),
    // Getters, because a summarizer may be set later.
    get summarizer() {
      return parts.summarizer;
    },
    get fallbackSummarizer() {
      return parts.fallbackSummarizer;
    },
    handoffKey: parts.handoffKey,
  };
}
