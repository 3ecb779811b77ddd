import type { Message, TokenCounter } from '@palimpsest/core';
import { type Conversation, type Cost, conversationOf, costOf, replay } from '@palimpsest/eval/measures';
import { estimateTokens } from '@palimpsest/tokens';
import { ownPoliciesWith } from '../src/economics/own-policies.ts';

/** An agent that works on one prompt, with one call and its result in each round. Sizes in tokens. */
export interface LongTurn {
  readonly title: string;
  readonly window: number;
  /** System prompt and tools. */
  readonly overhead: number;
  readonly rounds: number;
  readonly perRound: number;
  /** Cap of each answer, which the window has to have room for. */
  readonly maxTokens?: number | undefined;
}

export const longTurns = {
  overhead: {
    title: '70 rounds of 4,000 tokens in 60,000, with 20,000 of tools and system prompt',
    window: 60_000,
    overhead: 20_000,
    rounds: 70,
    perRound: 4_000,
  },
  many: {
    title: '300 rounds of 2,000 tokens in 64,000',
    window: 64_000,
    overhead: 3_000,
    rounds: 300,
    perRound: 2_000,
  },
  small: {
    title: '100 rounds of 700 tokens in 16,000, answers of up to 4,096',
    window: 16_000,
    overhead: 1_000,
    rounds: 100,
    perRound: 700,
    maxTokens: 4_096,
  },
} as const satisfies Readonly<Record<string, LongTurn>>;

/** What one of our policies does in a long turn. */
export interface LongTurnRun {
  readonly policy: string;
  readonly compactions: number;
  /** Compactions that called a model. */
  readonly withModel: number;
  readonly largestPrompt: number;
  /** Dollars at Anthropic's prices. */
  readonly cost: Cost;
}

/** Replays a long turn under each of our policies. */
export async function runLongTurn(turn: LongTurn, counter: TokenCounter): Promise<LongTurnRun[]> {
  const runs: LongTurnRun[] = [];
  for (const policy of ownPoliciesWith(turn.maxTokens)) {
    const replayed = await replay(conversationIn(turn, counter), policy, turn.window, counter, new Map());
    const { rewrites: compactions, largestPrompt, bills } = replayed;
    const withModel = bills.filter(({ calls }) => calls.length > 0).length;
    runs.push({ policy: policy.name, compactions, withModel, largestPrompt, cost: costOf(replayed, 'Anthropic') });
  }
  return runs;
}

function conversationIn({ title, overhead, rounds, perRound }: LongTurn, counter: TokenCounter): Conversation {
  const opening: Message[] = [
    { role: 'system', content: textOf(overhead, 'rules') },
    { role: 'user', content: 'Port the project to the new API.' },
  ];
  const work = Array.from({ length: rounds }, (_, round) => roundOf(round, perRound)).flat();
  return conversationOf({ name: title, messages: [...opening, ...work] }, 0, counter);
}

/** A call and its result. */
function roundOf(round: number, tokens: number): Message[] {
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
