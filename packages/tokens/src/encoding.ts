/**
 * A tokenizer for which {@link estimateTokens} has fitted weights. `o200k_base` is used by OpenAI models since gpt-4o and is
 * a good approximation for most others; `cl100k_base` is used by gpt-4 and gpt-3.5. `claude` is Anthropic's tokenizer. It is
 * not public, so its weights are fitted on billed requests. `claude-4.7` is the tokenizer of Claude Opus 4.7 and later: the
 * weights of `claude`, scaled, because few billed requests are available.
 */
export type Encoding = 'o200k_base' | 'cl100k_base' | 'claude' | 'claude-4.7';
