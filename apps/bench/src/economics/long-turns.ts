import type { Message } from '@palimpsest/core';
import { estimateTokens } from '@palimpsest/tokens';
import { engines, type OpenEngine, openCompressor, openPruneCompact } from '../engines/open-engine.ts';

export type EngineName = keyof typeof engines;

/** An agent that works on one prompt, with one call and its result in each round. Sizes in tokens. */
export interface LongTurn {
  readonly title: string;
  readonly window: number;
  /** System prompt and tools. */
  readonly overhead: number;
  readonly rounds: number;
  readonly perRound: number;
  readonly maxTokens?: number | undefined;
  readonly engines: Readonly<Record<EngineName, OpenEngine>>;
}

const withOverhead = '70 rounds of 4,000 tokens in 60,000, with 20,000 of tools and system prompt';
const overhead = { window: 60_000, overhead: 20_000, rounds: 70, perRound: 4_000, engines };

export const longTurns = {
  overhead: { ...overhead, title: withOverhead },
  early: {
    ...overhead,
    title: `${withOverhead}, threshold 30,000`,
    // Half of the window; prune-compact takes a share of the window less its reserve, which is 48,000 here.
    engines: {
      compressor: openCompressor({ threshold: { tokens: 30_000 } }),
      'prune-compact': openPruneCompact({ threshold: 0.625 }),
    },
  },
  many: {
    title: '300 rounds of 2,000 tokens in 64,000',
    window: 64_000,
    overhead: 3_000,
    rounds: 300,
    perRound: 2_000,
    engines,
  },
  small: {
    title: '100 rounds of 700 tokens in 16,000, answers of up to 4,096',
    window: 16_000,
    overhead: 1_000,
    rounds: 100,
    perRound: 700,
    maxTokens: 4_096,
    engines,
  },
} as const satisfies Readonly<Record<string, LongTurn>>;

/** The tools of the agent and its first messages. */
export function openingOf({ overhead }: LongTurn): { readonly tools: readonly object[]; readonly messages: Message[] } {
  const tools = Array.from({ length: 10 }, (_, at) => ({
    type: 'function',
    function: {
      name: `tool_${at}`,
      description: textOf(overhead / 20, `tool ${at}`),
      parameters: { type: 'object' },
    },
  }));
  const messages: Message[] = [
    { role: 'system', content: textOf(overhead / 2, 'rules') },
    { role: 'user', content: 'Port the project to the new API.' },
  ];
  return { tools, messages };
}

/** A call and its result. */
export function roundOf(round: number, tokens: number): Message[] {
  const id = `call_${round}`;
  const path = `src/module-${round}/index.ts`;
  const call = {
    id,
    type: 'function' as const,
    function: { name: 'read_file', arguments: JSON.stringify({ path }) },
  };
  return [
    { role: 'assistant', content: textOf(60, `thought ${round}`), tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: textOf(tokens - 100, path) },
  ];
}

/** Lines of code of so many tokens, as a session counts them. */
function textOf(tokens: number, seed: string): string {
  const lines: string[] = [];
  for (let at = 0; lines.length * 8 < tokens; at++) lines.push(`${seed}:${at} const value_${at} = compute(${at * 7});`);
  const long = lines.join('\n');
  return long.slice(0, Math.floor((long.length * tokens) / estimateTokens(long)));
}
