import type { HandoffKey } from '../handoff/handoff-signature.ts';
import type { Dialect } from '../messages/dialect.ts';
import type { MessageReader } from '../messages/message-reader.ts';
import { plainReader } from '../messages/plain-reader.ts';
import { judgingOriginals, type RequestRecognizer, requestRecognizer } from '../messages/request.ts';
import type { TokenCounter } from '../messages/token-counter.ts';
import { type Clock, systemClock } from './clock.ts';
import type { ContextEvent } from './event.ts';
import type { Summarizer } from './summarizer.ts';

/** Dependencies injected into an engine. */
export interface EngineHost {
  readonly tokens: TokenCounter;
  /** Writes summaries. Without one, an engine uses its offline writer. */
  readonly summarizer?: Summarizer | undefined;
  /** Tried once when {@link summarizer} fails: the session's main model. */
  readonly fallbackSummarizer?: Summarizer | undefined;
  /**
   * Masks secrets in newly written text and in text sent to another model. Linear and idempotent. Must be a stable
   * function reference that works without `this`: it is passed on alone, and results are memoized per function.
   */
  readonly redact: (text: string) => string;
  /**
   * Separates a person's words from text that a harness, a tool or a document put into a user message.
   * `@palimpsest/agents` exports `agentReader`, which knows many agents.
   */
  readonly reader: MessageReader;
  /** Decides which user messages are requests. {@link createHost} passes it originals instead of rewritten copies. */
  readonly isRequest: RequestRecognizer;
  readonly dialect: Dialect;
  readonly clock: Clock;
  /**
   * Signs the handoffs of this conversation. A text that only looks like a handoff is then quoted, and its rules and
   * requests have no authority. Use at least 32 random characters, keep them as long as the conversation, and keep them
   * secret. Sessions have their own key. A function is called each time, for a key that is known later or changes.
   * @default none: handoffs are unsigned, and trusted where engines put them
   */
  readonly handoffKey?: HandoffKey | undefined;
  /** Receives events; must not throw. */
  emit(event: ContextEvent): void;
}

/**
 * Creates a host with the usual defaults: system clock, `openai` dialect, events dropped, and
 * every message in which the reader finds a person's words is a request. The token counter, the redactor and the reader
 * have no default; `@palimpsest/registry` wires all three.
 */
export function createHost(parts: Pick<EngineHost, 'tokens' | 'redact' | 'reader'> & Partial<EngineHost>): EngineHost {
  // A JavaScript caller can leave the reader out.
  const reader: MessageReader = parts.reader ?? plainReader;
  return {
    reader,
    isRequest: judgingOriginals(parts.isRequest ?? requestRecognizer(reader)),
    dialect: parts.dialect ?? 'openai',
    clock: parts.clock ?? systemClock,
    emit: (event) => parts.emit?.(event),
    tokens: parts.tokens,
    redact: (text) => parts.redact(text),
    summarizer: parts.summarizer,
    fallbackSummarizer: parts.fallbackSummarizer,
    handoffKey: parts.handoffKey,
  };
}
