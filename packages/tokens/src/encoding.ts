/**
 * The tokenizers that {@link estimateTokens} has fitted weights for. `o200k_base` is that of OpenAI models since gpt-4o
 * and a fair stand-in for most others; `cl100k_base` that of gpt-4 and gpt-3.5; `claude` is Anthropic's, which is not
 * public: its weights are fitted on what was billed.
 */
export type Encoding = 'o200k_base' | 'cl100k_base' | 'claude';
