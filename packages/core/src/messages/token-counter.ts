import type { Message } from './message.ts';

/**
 * Counts tokens. Estimates are fine. For any input, it must not throw and must not return `NaN` or a negative number.
 * `@palimpsest/tokens` has an implementation that is memoized per message object.
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
