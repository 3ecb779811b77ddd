import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openaiSummarizer } from '@palimpsest/summary/openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, type Script, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import {
  createJudge,
  type EvaluateOptions,
  evaluate,
  fileJudgeCache,
  type JudgeOptions,
  newestTokens,
} from '../../src/index.ts';
import { samples } from '../samples.ts';

let server: LoopbackServer;
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-judge-'));
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const questions = [
  { question: 'Which port?', answer: '47113' },
  { question: 'Who asked?', answer: 'Ada' },
];

/** Answers as a model would: questions, then answers, then grades of which the first is right. */
const model: Script = ({ text }) => {
  const answer = text.includes('Write 2 questions')
    ? questions
    : text.includes('Answer these questions')
      ? ['47113', 'unknown']
      : [true, false];
  return {
    kind: 'answer',
    text: `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``,
    promptTokens: 1_000,
    completionTokens: 100,
  };
};

const judgeWith = (options: Partial<JudgeOptions> = {}) =>
  createJudge({
    model: openaiSummarizer({ model: 'a-judge', apiKey: 'key', baseURL: server.openaiUrl }),
    prices: { input: 1, output: 10 },
    budgetDollars: 1,
    questions: 2,
    ...options,
  });

const run = (judge: EvaluateOptions['judge'], more: Partial<EvaluateOptions> = {}) =>
  evaluate({
    transcripts: samples('shop-outage-german'),
    compactors: { 'newest tokens': newestTokens },
    budgets: [0.2],
    cuts: [0.6],
    chainSteps: 0,
    window: null,
    resamples: 10,
    judge,
    ...more,
  });

describe('a judge', () => {
  it('asks questions about the original, answers them from the output, and counts what it cost', async () => {
    server.play(model);
    const plans: number[] = [];
    const { results, judge } = await run(judgeWith({ onPlan: ({ calls }) => plans.push(calls) }));
    expect(results[0]!.scores.judge).toMatchObject({ value: 0.5 });
    expect(plans).toEqual([3]);
    expect(judge).toEqual({
      model: 'openai:a-judge',
      calls: 3,
      cachedCalls: 0,
      inputTokens: 3_000,
      outputTokens: 300,
      dollars: 0.006,
    });
    const [asked, answered, graded] = server.received.map(({ text }) => text);
    // The answer is sought in the output, and grades are given without any log.
    expect(answered!.length).toBeLessThan(asked!.length / 2);
    expect(answered).not.toContain('"47113"');
    expect(graded).not.toContain('<log>');
    expect(graded).toContain('"reference":"Ada","answer":"unknown"');
  });

  it('states what it could cost before the first call, and asks nothing that is over its budget', async () => {
    server.play(model);
    let stated = 0;
    const judge = judgeWith({
      budgetDollars: 0.01,
      onPlan: ({ dollars }) => {
        stated = dollars;
      },
    });
    await expect(run(judge)).rejects.toMatchObject({
      code: 'JUDGE_BUDGET_EXCEEDED',
      message: expect.stringMatching(/^The judge could cost \$0\.\d+, more than its budget of \$0\.01\./),
    });
    expect(stated).toBeGreaterThan(0.01);
    expect(server.received).toHaveLength(0);
  });

  it('stops before a call that could exceed the budget, when answers cost more than planned', async () => {
    server.play((request, number) => ({ ...model(request, number), promptTokens: 400_000 }) as never);
    await expect(run(judgeWith({ budgetDollars: 0.5 }))).rejects.toMatchObject({
      code: 'JUDGE_BUDGET_EXCEEDED',
      message: expect.stringMatching(/^With its next call, the judge could have cost \$0\.[4-9]/),
    });
    expect(server.received.length).toBeLessThan(3);
  });

  it('goes on where it was interrupted, and asks nothing twice', async () => {
    const cache = fileJudgeCache(join(folder, 'answers'));
    server.play((request, number) => (number < 2 ? model(request, number) : { kind: 'status', status: 500 }));
    await expect(run(judgeWith({ cache }))).rejects.toMatchObject({ code: 'SUMMARIZER_FAILED' });
    expect(readdirSync(join(folder, 'answers'))).toHaveLength(2);
    server.play(model);
    const resumed = await run(judgeWith({ cache }));
    expect(server.received).toHaveLength(1);
    expect(resumed.judge).toMatchObject({ calls: 1, cachedCalls: 2 });
    server.play([]);
    const again = await run(judgeWith({ cache }));
    expect(again.results).toEqual(resumed.results);
    expect(again.judge).toMatchObject({ calls: 0, cachedCalls: 3, dollars: 0 });
  });

  it('asks once more for an answer that it cannot read, and then says so', async () => {
    server.play((request, number) =>
      number === 0 ? { kind: 'answer', text: 'Sure! Here you go.' } : model(request, number),
    );
    expect((await run(judgeWith())).judge).toMatchObject({ calls: 4 });
    server.play(() => ({ kind: 'answer', text: 'I would rather not.' }));
    await expect(run(judgeWith())).rejects.toMatchObject({
      code: 'JUDGE_FAILED',
      message: expect.stringContaining('2 answers that are not the JSON'),
    });
  });

  it('never sends a secret', async () => {
    server.play(model);
    // Assembled at run time, so that secret scanners do not flag this file.
    const secret = `gh${'p'}_${'Zk3v9QpT7wXn2LbR5yHd8MfC6sGj4aUe1oWq'}`;
    const [{ name, messages }] = samples('shop-outage-german') as [ReturnType<typeof samples>[number]];
    const told = [
      { role: 'user' as const, content: `Use ${secret}.` },
      { role: 'assistant' as const, content: 'I will.' },
    ];
    await run(judgeWith(), {
      transcripts: [{ name, messages: [...told, ...messages] }],
      compactors: { all: (past) => past.slice(0, 3) },
    });
    expect(server.received).toHaveLength(3);
    for (const { raw } of server.received) expect(raw).not.toContain(secret.slice(4));
  });
});
