import type { Encoding } from '../encoding.ts';

/** Tokens that a provider adds around the text of a request. */
export interface Envelope {
  /** Role and separators of a message. */
  readonly message: number;
  /** Overhead of one tool call, without its id, name and arguments. */
  readonly call: number;
  /** Overhead of one tool result, including its message. */
  readonly result: number;
  /** Once per request. */
  readonly request: number;
  /** Once per request that declares tools: the instructions on how to call them. */
  readonly tools: number;
  /** Once per tool. */
  readonly tool: number;
  /** Tokens billed for a tool's declaration per estimated token of its JSON. */
  readonly schema: number;
}

const openai: Envelope = { message: 4, call: 8, result: 6, request: 3, tools: 12, tool: 8, schema: 0.75 };

const claude: Envelope = { message: 3, call: 18, result: 17, request: 4, tools: 480, tool: 10, schema: 1 };

/** Envelopes by encoding, fitted on billed requests (`tools/fit-weights`). */
export const envelopes: Readonly<Record<Encoding, Envelope>> = {
  o200k_base: openai,
  cl100k_base: openai,
  claude,
  'claude-4.7': claude,
};
