import type { Message } from './message.ts';

/**
 * Counts tokens. Estimates are fine, but it must never throw or return `NaN` or a negative number, whatever the
 * input. `@palimpsest/tokens` implements it, memoized per message object.
 */
export interface TokenCounter {
  /** Tokens of a plain text. */
  countText(text: string): number;
  /**
   * Tokens one message adds to a prompt: content, name, tool calls and the fixed envelope. Reasoning is counted only
   * with `reasoning: true`: providers drop it from all but the newest assistant turn.
   */
  countMessage(message: Message, options?: { readonly reasoning?: boolean | undefined }): number;
}
