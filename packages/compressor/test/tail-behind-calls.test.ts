import { type Dialect, dialects, type Message, readHandoff, validateTranscript } from '@palimpsest/core';
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
import { describe, expect, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

/** Calls with large results, one after the other. */
const calls = Array.from({ length: 100 }, (_, at) =>
  callsWithResults([
    call(`c${at}`, 'read_file', { path: `src/part-${at}.ts` }),
    `${at}: export const part = ${at};\n`.repeat(66),
  ]),
).flat();
const request = user('Now rename the parser.');

async function compacted(messages: Message[], dialect: Dialect) {
  const host = testHost({ dialect, summarizer: createScriptedSummarizer(writeShortSummary) });
  const engine = makeEngine(host, { threshold: 0.5, minimumThreshold: 0 });
  await engine.updateModel({ id: 'm', contextLength: promptTokens(messages) });
  // Forced, because without it the calls are only pruned.
  const { messages: output, outcome } = await engine.compress(messages, { force: true });
  expect(outcome).toBe('compacted');
  return { output: output as Message[], tokens: promptTokens(output as Message[]) };
}

describe.each(dialects)('a request directly after tool results, in the dialect %s', (dialect) => {
  const opening = [system('Be brief.'), user('Read everything.')];
  const kept = (output: readonly Message[]): number => output.filter(({ role }) => role === 'tool').length;

  it('keeps a tail as large as a request after a reply', async () => {
    const answered = await compacted([...opening, ...calls, assistant('Done.'), request], dialect);
    const direct = await compacted([...opening, ...calls, request], dialect);
    if (dialect === 'strict') return;
    expect(kept(answered.output)).toBeGreaterThan(2);
    expect(kept(direct.output)).toBeGreaterThanOrEqual(kept(answered.output) - 1);
    expect(direct.output.at(-1)).toBe(request);
    expect(direct.tokens).toBeGreaterThan(answered.tokens * 0.7);
  });

  it.each([1, 12, 24])(
    'keeps the reply before %d calls in front of the tail, where a strict template needs it',
    async (at) => {
      const lead = assistant('I will read the parts now.');
      const messages = [...opening, ...calls.slice(0, at * 2), lead, ...calls.slice(at * 2), request];
      const { output } = await compacted(messages, dialect);
      expect(validateTranscript(output, { dialect: 'strict' })).toEqual([]);
      expect(kept(output)).toBeGreaterThan(2);
      expect(output.at(-1)).toBe(request);
      const handoff = output.findIndex((message) => readHandoff(message));
      expect(output[handoff + 1]).toBe(lead);
    },
  );
});
