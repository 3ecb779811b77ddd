import { type Message, readHandoff } from '@palimpsest/core';
import {
  assistant,
  call,
  callsWithResults,
  createScriptedSummarizer,
  promptTokens,
  system,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

const threshold = 20_000;

/** Rounds of one task, of about 500 tokens each. */
function rounds(count: number, name: string): Message[] {
  return Array.from({ length: count }, (_, at) =>
    callsWithResults([call(`${name}${at}`, 'read_file', { path: `${name}-${at}.ts` }), `${name} ${at};\n`.repeat(150)]),
  ).flat();
}

async function tailOf(messages: Message[], summarizer: ReturnType<typeof createScriptedSummarizer> | null) {
  const engine = makeEngine(testHost({ summarizer }), { threshold: { tokens: threshold } });
  await engine.updateModel({ id: 'm', contextLength: threshold * 2 });
  const output = (await engine.compress(messages, { force: true })).messages as Message[];
  return output.slice(output.findIndex((message) => readHandoff(message)) + 1);
}

const model = () => createScriptedSummarizer(writeShortSummary);
const work = [system('Be brief.'), user('Port all of it.'), ...rounds(60, 'part')];

it('is 5 % of the threshold; rules keep a fifth', async () => {
  const behindPage = promptTokens(await tailOf(work, model()));
  expect(behindPage).toBeGreaterThan(0);
  expect(behindPage).toBeLessThan(threshold * 0.075);
  expect(promptTokens(await tailOf(work, null))).toBeGreaterThan(threshold * 0.15);
});

it('keeps the last turn whole up to 10 % of the threshold', async () => {
  const last = [user('And now the last one.'), ...rounds(4, 'last'), assistant('The last one is ported.')];
  expect(promptTokens(last)).toBeGreaterThan(threshold * 0.05);
  expect(promptTokens(last)).toBeLessThan(threshold * 0.1);
  // The request itself may be in the message of the handoff, behind its end.
  const answers = last.slice(1);
  expect((await tailOf([...work, assistant('Ported.'), ...last], model())).slice(-answers.length)).toEqual(answers);
});
