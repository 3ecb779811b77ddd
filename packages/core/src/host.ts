import { type Clock, systemClock } from './clock.ts';
import type { Dialect } from './dialect.ts';
import type { ContextEvent } from './event.ts';
import type { HandoffKey } from './handoff-signature.ts';
import { isRequest, judgingOriginals, type RequestRecognizer } from './request.ts';
import type { Summarizer } from './summarizer.ts';
import type { TokenCounter } from './token-counter.ts';

/** Dependencies injected into an engine. */
export interface EngineHost {
  readonly tokens: TokenCounter;
  /** Who writes summaries; without one, an engine uses its offline writer. */
  readonly summarizer?: Summarizer | undefined;
  /** Tried once when {@link summarizer} fails: the session's main model. */
  readonly fallbackSummarizer?: Summarizer | undefined;
  /**
   * Masks secrets in newly written text and in text sent to another model. Linear and idempotent. Must be a stable
   * function reference that works without `this`: it is passed on alone, and results are memoized per function.
   */
  readonly redact: (text: string) => string;
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
 * Creates a host with the usual defaults: system clock, default request recognizer, `openai` dialect, events dropped.
 * The token counter and the redactor have no default here; `@palimpsest/registry` wires both.
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
