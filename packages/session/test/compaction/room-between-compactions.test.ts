import type { EngineHost, Message } from '@palimpsest/core';
import {
  assistant,
  call,
  createScriptedSummarizer,
  result,
  system,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { estimateTokens } from '@palimpsest/tokens';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/create-session.ts';
import { compressorOn, filler, pruneCompactOn } from '../make-session.ts';

const engines = {
  compressor: (host: EngineHost, model: boolean) => compressorOn(host, model ? summarizer() : undefined),
  'prune-compact': (host: EngineHost, model: boolean) => pruneCompactOn(host, model ? summarizer() : undefined),
};
const summarizer = () => createScriptedSummarizer(writeShortSummary);

/** Text of so many tokens, as the session counts them. */
function text(tokens: number, seed: number | string): string {
  const long = filler(tokens, seed);
  return long.slice(0, Math.floor((long.length * tokens) / estimateTokens(long)));
}

interface Work {
  readonly engine: keyof typeof engines;
  readonly window: number;
  /** Tokens of the system prompt and the tools. */
  readonly overhead: number;
  readonly rounds: number;
  readonly perRound: number;
  readonly model: boolean;
  readonly maxTokens?: number;
}

/** An agent that works on one prompt, one call and its result a round. Returns the compactions, by whether they called a model. */
async function work({ engine, window, overhead, rounds, perRound, model, maxTokens }: Work) {
  const session = createSession({
    engine: (host) => engines[engine](host, model),
    model: { id: 'm', contextLength: window },
  });
  const tools = Array.from({ length: 10 }, (_, at) => ({
    type: 'function',
    function: { name: `tool_${at}`, description: text(overhead / 20, at), parameters: { type: 'object' } },
  }));
  const history: Message[] = [system(text(overhead / 2, 'rules')), user('Port the project to the new API.')];
  const callsModel: boolean[] = [];
  session.on((event) => {
    if (event.type === 'checkpoint-commit') callsModel.push(event.modelCalls > 0);
  });
  for (let round = 0; round < rounds; round++) {
    const request = await session.beforeRequest(history, { tools, maxTokens });
    expect(request.info.tokens).toBeLessThan(window - (maxTokens ?? 0));
    session.afterResponse({ prompt_tokens: request.info.tokens, completion_tokens: 100 }, request);
    const id = `call_${round}`;
    history.push(
      assistant(text(60, round), call(id, 'read_file', { path: `src/${round}.ts` })),
      result(id, text(perRound - 100, round)),
    );
  }
  return callsModel;
}

describe('one prompt and many rounds', () => {
  it.each([
    ['compressor', true],
    ['compressor', false],
    ['prune-compact', true],
    ['prune-compact', false],
  ] as const)(
    'of %s beside 20K of tools in 60K, with a model: %s, are compacted only now and then',
    async (engine, model) => {
      const work60 = { engine, model, window: 60_000, overhead: 20_000, rounds: 70, perRound: 4_000 };
      expect((await work(work60)).length).toBeLessThanOrEqual(model ? 12 : 17);
    },
  );

  it('need a model for no more than half of the compactions of prune-compact', async () => {
    const compactions = await work({
      engine: 'prune-compact',
      model: true,
      window: 64_000,
      overhead: 3_000,
      rounds: 300,
      perRound: 2_000,
    });
    expect(compactions.length).toBeLessThan(35);
    expect(compactions.filter(Boolean).length).toBeLessThanOrEqual(compactions.length / 2);
  });

  it.each(['compressor', 'prune-compact'] as const)(
    'of %s leave room for answers of 4,096 tokens in 16K',
    async (engine) => {
      const small = { engine, window: 16_000, overhead: 1_000, rounds: 100, perRound: 700, model: false };
      expect((await work({ ...small, maxTokens: 4_096 })).length).toBeLessThanOrEqual(24);
    },
  );
});
