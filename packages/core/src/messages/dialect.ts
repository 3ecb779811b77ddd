/**
 * How strictly a provider checks roles and tool calls. `openai`: chat completions, where only tool pairing matters.
 * `anthropic`: roles alternate once tool results count as user turns. `strict`: chat templates like those of Mistral
 * and Gemma, which fail unless user and assistant turns alternate, starting with a user.
 */
export type Dialect = 'openai' | 'anthropic' | 'strict';

export const dialects: readonly Dialect[] = ['openai', 'anthropic', 'strict'];
