/**
 * How strictly a provider checks roles and tool calls. `openai`: chat completions, where only tool pairing matters.
 * `anthropic`: roles alternate once tool results count as user turns. `strict`: chat templates in the manner of Mistral
 * and Gemma, which raise unless user and assistant alternate from a first user message on.
 */
export type Dialect = 'openai' | 'anthropic' | 'strict';

export const dialects: readonly Dialect[] = ['openai', 'anthropic', 'strict'];
