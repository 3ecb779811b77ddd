import { assistant, call, result, scriptedSummarizer, testHost, user, writtenSummary } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

it('asks a model for no summary that has no room', async () => {
  const summarizer = scriptedSummarizer(writtenSummary);
  const messages = [user('Port the project.')];
  for (let round = 0; round < 12; round++) {
    const text = Array.from({ length: 60 }, (_, at) => `const value_${round}_${at} = compute(${at});`).join('\n');
    messages.push(assistant(`Step ${round}.`, call(`c${round}`, 'read_file', { path: `src/${round}.ts` })));
    messages.push(result(`c${round}`, text));
  }
  for (let targetTokens = 200; targetTokens <= 5_000; targetTokens += 150) {
    const engine = makeEngine(testHost({ summarizer }), { minimumThreshold: 0 });
    await engine.updateModel({ id: 'm', contextLength: 16_000 });
    await engine.compress(messages, { targetTokens, force: true });
  }
  expect(summarizer.calls.length).toBeGreaterThan(0);
  expect(Math.min(...summarizer.calls.map(({ budgetTokens }) => budgetTokens))).toBeGreaterThanOrEqual(50);
});
