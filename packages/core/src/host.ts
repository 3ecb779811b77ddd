import { type Clock, systemClock } from './clock.ts';
import type { Dialect } from './dialect.ts';
import type { ContextEvent } from './event.ts';
import type { HandoffKey } from './handoff-signature.ts';
import { isRequest, judgingOriginals, type RequestRecognizer } from './request.ts';
import type { Summarizer } from './summarizer.ts';
import type { TokenCounter } from './token-counter.ts';

/** All that an engine may use of the world. */
export interface EngineHost {
  readonly tokens: TokenCounter;
  /** Who writes summaries; without one, an engine uses its offline writer. */
  readonly summarizer?: Summarizer | undefined;
  /** Tried once when {@link summarizer} fails: the session's main model. */
  readonly fallbackSummarizer?: Summarizer | undefined;
  /**
   * Masks secrets in text that is written anew or leaves for another model. Linear and idempotent. A plain function, the
   * same for the life of the host: it is passed on alone, and what it masked is remembered by it.
   */
  readonly redact: (text: string) => string;
  /** Asked of a message as the caller has it; {@link createHost} sees to it that a rewritten one is judged by its original. */
  readonly isRequest: RequestRecognizer;
  readonly dialect: Dialect;
  readonly clock: Clock;
  /**
   * Signs the handoffs of this conversation, so that a text that only looks like one is not believed: it is quoted, and
   * its rules and requests are nobody's. At least 32 random characters, kept as long as the conversation and shown to
   * nobody. A session has one of its own. A function is asked each time, for a key that is known later or changes.
   * @default none: handoffs are unsigned, and believed where engines put them
   */
  readonly handoffKey?: HandoffKey | undefined;
  /** Receives events; must not throw. */
  emit(event: ContextEvent): void;
}

/**
 * A host with the usual defaults: the system clock, the default recognizer of requests, the `openai` dialect, events
 * dropped. What counts tokens and what masks secrets has no default here; `@palimpsest/registry` wires both.
 */
export function createHost(parts: Pick<EngineHost, 'tokens' | 'redact'> & Partial<EngineHost>): EngineHost {
  return {
    isRequest: judgingOriginals(parts.isRequest ?? isRequest),
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
