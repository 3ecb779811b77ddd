import { agentReader, isFromPerson } from '@palimpsest/agents';
import {
  contentText,
  hasToolCalls,
  isBlank,
  isImagePart,
  isSynthetic,
  isSystem,
  type Message,
  type Part,
  readAnyHandoff,
  readHandoff,
  toolCallInput,
  toolCalls,
  validateTranscript,
} from '@palimpsest/core';
import { isJson, Transcript } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryTranscript, createFakeSecrets, harnessTexts, quarterCounter, taskTexts, user } from '../src/index.ts';

const sample = fc.sample(arbitraryTranscript({ secrets: createFakeSecrets() }), { numRuns: 1_500, seed: 1 });

const holds = (wanted: (message: Message) => unknown): number =>
  sample.filter((messages) => messages.some(wanted)).length;
const parts = ({ content }: Message): readonly Part[] => (Array.isArray(content) ? content : []);
const broken = (rule: string): number =>
  sample.filter((messages) => validateTranscript(messages).some((found) => found.rule === rule)).length;

describe('generated transcripts', () => {
  it('are from empty to 400 messages long', () => {
    const lengths = sample.map(({ length }) => length);
    expect(Math.min(...lengths)).toBe(0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(400);
    expect(lengths.filter((length) => length > 200).length).toBeGreaterThan(20);
    expect(lengths.filter((length) => length < 20).length).toBeGreaterThan(300);
    expect(
      Math.max(...fc.sample(arbitraryTranscript({ maxLength: 9 }), 300).map(({ length }) => length)),
    ).toBeLessThanOrEqual(9);
  });

  const kinds: Readonly<Record<string, number>> = {
    'parallel calls': holds((message) => toolCalls(message).length > 1),
    'arguments that are not JSON': holds((message) =>
      toolCalls(message).some((call) => call.type === 'function' && !isJson(toolCallInput(call))),
    ),
    'custom calls': holds((message) => toolCalls(message).some(({ type }) => type === 'custom')),
    'legacy calls': holds(({ role, function_call: call }) => role === 'assistant' && call),
    reasoning: holds(({ reasoning_content: reasoning }) => reasoning),
    'images of users': holds((message) => message.role === 'user' && parts(message).some(isImagePart)),
    'images in results': holds((message) => message.role === 'tool' && parts(message).some(isImagePart)),
    'null content': holds(({ content }) => content === null),
    'blank users': holds(({ role, content }) => role === 'user' && isBlank(content)),
    'a system message in the middle': sample.filter((messages) => messages.findLastIndex(isSystem) > 2).length,
    developers: holds(({ role }) => role === 'developer'),
    'handoffs of earlier runs': holds((message) => isSynthetic(message) && readHandoff(message)?.rest === ''),
    'handoffs merged with a request': holds((message) => isSynthetic(message) && readHandoff(message)?.rest !== ''),
    "other systems' handoffs": holds((message) => readAnyHandoff(message, agentReader)?.version === 0),
    'harness messages': holds(({ content }) => typeof content === 'string' && harnessTexts.includes(content)),
    secrets: holds((message) => createFakeSecrets().some((secret) => JSON.stringify(message).includes(secret))),
    'calls without a result': broken('call-unanswered'),
    'results without a call': broken('result-orphan'),
    'results that come too late': broken('result-misplaced'),
    'ids twice in one message': broken('call-id-duplicate'),
    'pending tool calls': sample.filter((messages) => Transcript.of(messages, quarterCounter).pendingCalls).length,
    'pending calls without any result': sample.filter(
      (messages) => messages.length > 0 && hasToolCalls(messages.at(-1)!),
    ).length,
    'big outputs': holds((message) => message.role === 'tool' && contentText(message.content).length > 10_000),
    'identical outputs': sample.filter((messages) => {
      const long = messages
        .filter(({ role, content }) => role === 'tool' && contentText(content).length > 200)
        .map(({ content }) => contentText(content));
      return new Set(long).size < long.length;
    }).length,
  };
  for (const [kind, count] of Object.entries(kinds))
    it(`hold ${kind} often enough to matter`, () => {
      expect(count).toBeGreaterThan(40);
    });

  it('are valid in every dialect with broken: false', () => {
    for (const messages of fc.sample(arbitraryTranscript({ broken: false, secrets: createFakeSecrets() }), {
      numRuns: 300,
      seed: 1,
    }))
      expect(validateTranscript(messages, { dialect: 'strict' })).toEqual([]);
  });

  it('are the same for the same seed', () => {
    const again = fc.sample(arbitraryTranscript({ secrets: createFakeSecrets() }), { numRuns: 50, seed: 1 });
    expect(JSON.stringify(again)).toBe(JSON.stringify(sample.slice(0, 50)));
  });

  it('shrink to a handful of messages', () => {
    const { counterexample } = fc.check(
      fc.property(arbitraryTranscript(), (messages) => !messages.some(hasToolCalls)),
      { seed: 3 },
    );
    expect(counterexample?.[0].length).toBeLessThanOrEqual(8);
  });

  it('use words that isFromPerson accepts and harness texts that it does not', () => {
    for (const text of taskTexts) expect([text, isFromPerson(user(text), 0, [])]).toEqual([text, true]);
    for (const text of harnessTexts) expect([text, isFromPerson(user(text), 0, [])]).toEqual([text, false]);
  });
});
