/**
 * The tokenizers that {@link estimateTokens} has fitted weights for. `o200k_base` is that of OpenAI models since gpt-4o
 * and a fair stand-in for most others; `cl100k_base` that of gpt-4 and gpt-3.5; `claude` is Anthropic's, which is not
 * public: its weights are fitted on what was billed. `claude-4.7` is the tokenizer of Claude Opus 4.7 and later, of which
 * little billed text is at hand: the weights of `claude`, scaled.
 */
export type Encoding = 'o200k_base' | 'cl100k_base' | 'claude' | 'claude-4.7';
