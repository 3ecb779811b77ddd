import { isToolResult, type Message, readHandoff } from '@palimpsest/core';
import {
  assistant,
  call,
  callsWithResults,
  createScriptedSummarizer,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

/** Requests with large tool output. After pruning, little remains for a handoff to replace. */
const bulky: Message[] = [
  ...['first', 'second'].flatMap((name) => [
    // The rule is in the handoff twice: as a rule, and in the list of messages.
    user(`Never skip the ${name} run.`),
    ...callsWithResults([call(name, 'terminal', { command: `run ${name}` }), `${name} ok\n`.repeat(4_000)]),
    assistant('Done.'),
  ]),
  ...[user('So?'), assistant('Well.'), user('And?'), assistant('Yes.')],
];

describe('a handoff that is larger than the pruned messages that it would replace', () => {
  it('is not used, and no model is called for it', async () => {
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const engine = makeEngine(testHost({ summarizer }), { protectTokens: 1, minimumTokens: 0 });
    await engine.updateModel({ id: 'm', contextLength: 20_000 });
    const first = await engine.compress(bulky, { targetTokens: 100 });
    expect(first.outcome).toBe('compacted');
    expect(first.report).toMatchObject({ modelCalls: 0, failure: null });
    expect(first.report.reason).toContain('larger than what it replaces');
    expect(first.messages.some((message) => readHandoff(message as Message))).toBe(false);
    expect(first.messages).toHaveLength(bulky.length);
    const shortened = first.messages.filter((message, at) => isToolResult(message as Message) && message !== bulky[at]);
    expect(shortened).toHaveLength(2);
    const second = await engine.compress(first.messages, { targetTokens: 100 });
    expect(second.outcome).toBe('unchanged');
    expect(second.messages).toBe(first.messages);
  });
});
