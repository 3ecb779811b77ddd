import { type EngineHost, type Message, type SummarizeRequest, type Summarizer, systemClock } from '@palimpsest/core';
import { type Bill, type Cost, costOf } from '@palimpsest/eval/measures';
import { createSession } from '@palimpsest/session';
import { contextFetch, ridingSummarizer } from '@palimpsest/session/fetch';
import { estimateTokens } from '@palimpsest/tokens';
import { CachingProvider } from './caching-provider.ts';
import { type EngineName, type LongTurn, openingOf, roundOf } from './long-turns.ts';
import { standInWriter } from './stand-in-writer.ts';

/** Who writes the summaries: a model, the agent's model on its last request, or rules. */
export type Writer = 'a model' | 'a model that rides' | 'rules';
export const writers: readonly Writer[] = ['a model', 'a model that rides', 'rules'];

export interface LongTurnResult {
  readonly compactions: number;
  /** Compactions that called a model. */
  readonly passesWithModel: number;
  readonly modelCalls: number;
  /** Calls that rode on the last request. */
  readonly riddenCalls: number;
  readonly summaryInput: number;
  readonly summaryOutput: number;
  readonly largestPrompt: number;
  /** Dollars at Anthropic's prices. */
  readonly cost: Cost;
}

const stepMs = 20_000;
const url = 'https://provider.invalid/v1/chat/completions';

/** Runs an engine behind the fetch of a session through a long turn, before a provider with a prompt cache. */
export async function runLongTurn(turn: LongTurn, engine: EngineName, writer: Writer): Promise<LongTurnResult> {
  let now = Date.UTC(2026, 0, 5);
  const pending: Bill['calls'][number][] = [];
  const ordinary: Summarizer = {
    ...standInWriter,
    summarize: async (request) => {
      const response = await standInWriter.summarize(request);
      const sizes = { inputTokens: estimateTokens(request.prompt), outputTokens: estimateTokens(response.text) };
      pending.push({ ...sizes, prefixTokens: 0, cachedTokens: 0 });
      return response;
    },
  };
  const rides = ridingSummarizer({ otherwise: ordinary });
  // The model that is ridden on writes from the same material as the other one.
  let asked: SummarizeRequest | null = null;
  const riding: Summarizer = {
    ...rides,
    summarize: async (request) => {
      asked = request;
      return rides.summarize(request);
    },
  };
  const summarizers = { 'a model': ordinary, 'a model that rides': riding, rules: undefined };
  const summarizer = summarizers[writer];
  const session = createSession({
    engine: (host: EngineHost) => turn.engines[engine](summarizer ? { ...host, summarizer } : host, turn.window),
    model: { id: 'measured', contextLength: turn.window },
    clock: { ...systemClock, now: () => now },
    // A random key would sign handoffs with other tokens in each run.
    id: 'long-turn',
    key: 'a key of the bench',
  });
  const callsModel: boolean[] = [];
  let riddenCalls = 0;
  session.on((event) => {
    if (event.type === 'checkpoint-commit') callsModel.push(event.modelCalls > 0);
    if (event.type === 'summary-ridden' && event.failure === null) riddenCalls++;
  });
  const provider = new CachingProvider({
    now: () => now,
    summaryOf: async (messages) =>
      asked?.instruction !== undefined && messages.at(-1)!.content === asked.instruction
        ? (await standInWriter.summarize(asked)).text
        : null,
    takeCalls: () => pending.splice(0),
  });
  const send = contextFetch(session, { fetch: provider.fetch, ...(writer === 'a model that rides' ? { rides } : {}) });
  const { tools, messages } = openingOf(turn);
  const history: Message[] = [...messages];
  for (let round = 0; round < turn.rounds; round++) {
    now += stepMs;
    const body = { model: 'measured', messages: history, tools, max_tokens: turn.maxTokens };
    const reply = await send(url, { method: 'POST', body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`The provider refused round ${round + 1} with status ${reply.status}`);
    await reply.text();
    history.push(...roundOf(round, turn.perRound));
  }
  const calls = provider.bills.flatMap((bill) => bill.calls);
  return {
    compactions: callsModel.length,
    passesWithModel: callsModel.filter(Boolean).length,
    modelCalls: calls.length,
    riddenCalls,
    summaryInput: calls.reduce((sum, call) => sum + call.inputTokens, 0),
    summaryOutput: calls.reduce((sum, call) => sum + call.outputTokens, 0),
    largestPrompt: provider.largestPrompt,
    cost: costOf(provider, 'Anthropic'),
  };
}
