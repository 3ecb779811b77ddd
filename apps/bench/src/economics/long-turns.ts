import { type EngineHost, type Message, type Summarizer, systemClock } from '@palimpsest/core';
import { type Bill, type Cost, costOf, PrefixCache, type SummaryCall } from '@palimpsest/eval/measures';
import { createSession } from '@palimpsest/session';
import { createTokenCounter, estimateTokens } from '@palimpsest/tokens';
import { engines } from '../engines/open-engine.ts';
import { standInWriter } from './stand-in-writer.ts';

/** An agent that works on one prompt, with one call and its result in each round. Sizes in tokens. */
interface LongTurn {
  readonly title: string;
  readonly window: number;
  /** System prompt and tools. */
  readonly overhead: number;
  readonly rounds: number;
  readonly perRound: number;
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

export interface LongTurnResult {
  readonly compactions: number;
  /** Compactions that called a model. */
  readonly passesWithModel: number;
  readonly modelCalls: number;
  readonly summaryInput: number;
  readonly summaryOutput: number;
  readonly largestPrompt: number;
  /** Dollars at Anthropic's prices. */
  readonly cost: Cost;
}

const outputTokens = 100;
const stepMs = 20_000;

/** Runs an engine behind a session through a long turn, before a provider with a prompt cache. */
export async function runLongTurn(
  turn: LongTurn,
  engine: keyof typeof engines,
  withModel: boolean,
): Promise<LongTurnResult> {
  const counter = createTokenCounter();
  let now = Date.UTC(2026, 0, 5);
  let pending: SummaryCall[] = [];
  const summarizer: Summarizer = {
    ...standInWriter,
    summarize: async (request) => {
      const response = await standInWriter.summarize(request);
      const inputTokens = estimateTokens(request.prompt);
      pending.push({ inputTokens, prefixTokens: 0, outputTokens: estimateTokens(response.text) });
      return response;
    },
  };
  const session = createSession({
    engine: (host: EngineHost) => engines[engine](withModel ? { ...host, summarizer } : host, turn.window),
    model: { id: 'measured', contextLength: turn.window },
    clock: { ...systemClock, now: () => now },
  });
  const callsModel: boolean[] = [];
  session.on((event) => {
    if (event.type === 'checkpoint-commit') callsModel.push(event.modelCalls > 0);
  });
  const tools = Array.from({ length: 10 }, (_, at) => ({
    type: 'function',
    function: {
      name: `tool_${at}`,
      description: textOf(turn.overhead / 20, `tool ${at}`),
      parameters: { type: 'object' },
    },
  }));
  // The cache sees the tools as a message before the others.
  const declared: Message = { role: 'system', content: JSON.stringify(tools) };
  const history: Message[] = [
    { role: 'system', content: textOf(turn.overhead / 2, 'rules') },
    { role: 'user', content: 'Port the project to the new API.' },
  ];
  const cache = new PrefixCache((message) => counter.countMessage(message));
  const bills: Bill[] = [];
  let largestPrompt = 0;
  for (let round = 0; round < turn.rounds; round++) {
    now += stepMs;
    const request = await session.beforeRequest(history, { tools, maxTokens: turn.maxTokens });
    const prompt = [declared, ...request.messages];
    const promptTokens = prompt.reduce((sum, message) => sum + counter.countMessage(message), 0);
    const cachedTokens = cache.read(prompt, now);
    cache.write(prompt, now);
    bills.push({
      cachedTokens,
      writtenTokens: promptTokens - cachedTokens,
      outputTokens,
      calls: pending.map((call) => ({ ...call, cachedTokens: 0 })),
    });
    pending = [];
    largestPrompt = Math.max(largestPrompt, promptTokens);
    session.afterResponse({ promptTokens, completionTokens: outputTokens, cachedTokens }, request);
    history.push(...roundOf(round, turn.perRound));
  }
  const calls = bills.flatMap((bill) => bill.calls);
  return {
    compactions: callsModel.length,
    passesWithModel: callsModel.filter(Boolean).length,
    modelCalls: calls.length,
    summaryInput: calls.reduce((sum, call) => sum + call.inputTokens, 0),
    summaryOutput: calls.reduce((sum, call) => sum + call.outputTokens, 0),
    largestPrompt,
    cost: costOf({ bills }, 'Anthropic'),
  };
}

function roundOf(round: number, tokens: number): Message[] {
  const id = `call_${round}`;
  const path = `src/module-${round}/index.ts`;
  const call = { id, type: 'function' as const, function: { name: 'read_file', arguments: JSON.stringify({ path }) } };
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
