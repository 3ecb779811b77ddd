import {
  assistant,
  call,
  createScriptedSummarizer,
  result,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

it('asks a model for no summary that has no room', async () => {
  const summarizer = createScriptedSummarizer(writeShortSummary);
  const messages = [user('Port the project.')];
  for (let round = 0; round < 12; round++) {
    const text = Array.from({ length: 60 }, (_, at) => `const value_${round}_${at} = compute(${at});`).join('\n');
    messages.push(assistant(`Step ${round}.`, call(`c${round}`, 'read_file', { path: `src/${round}.ts` })));
    messages.push(result(`c${round}`, text));
  }
  for (let targetTokens = 200; targetTokens <= 5_000; targetTokens += 150) {
    const engine = makeEngine(testHost({ summarizer }), { threshold: 0.5, minimumThreshold: 0 });
    await engine.updateModel({ id: 'm', contextLength: 16_000 });
    await engine.compress(messages, { targetTokens, force: true });
  }
  expect(summarizer.calls.length).toBeGreaterThan(0);
  expect(Math.min(...summarizer.calls.map(({ budgetTokens }) => budgetTokens))).toBeGreaterThanOrEqual(50);
});

it('names changed files where a long request leaves little room', async () => {
  const messages = [user(`Fix the report. ${'It has to be correct in every detail. '.repeat(180)}`)];
  for (let round = 0; round < 40; round++) {
    const text = Array.from({ length: 40 }, (_, at) => `const value_${round}_${at} = compute(${at});`).join('\n');
    messages.push(
      assistant(`Step ${round}.`, call(`c${round}`, 'write_file', { path: `src/${round % 4}.ts`, content: text })),
    );
    messages.push(result(`c${round}`, 'ok'));
  }
  const engine = makeEngine(testHost(), { threshold: 0.5, minimumThreshold: 0 });
  await engine.updateModel({ id: 'm', contextLength: 16_000 });
  const tokens = Math.ceil(testHost().tokens.countText(messages[0]!.content as string));
  const { messages: output } = await engine.compress(messages, { targetTokens: tokens + 760, force: true });
  const text = JSON.stringify(output);
  for (const path of ['src/0.ts', 'src/1.ts', 'src/2.ts', 'src/3.ts']) expect(text).toContain(path);
});
