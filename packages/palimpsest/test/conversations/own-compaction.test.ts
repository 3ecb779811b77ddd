import { describe, expect, it } from 'vitest';
import { isOwnCompaction } from '../../src/conversations/own-compaction.ts';
import { readConversation } from '../../src/conversations/read-conversation.ts';

const pi = 'You are a context summarization assistant. Your task is to read a conversation';
const opencode = 'You are a context summarization agent. You are given a conversation';
const talk = '<conversation>\n[User]: Fix the test.\n</conversation>\n\nCreate a structured summary.';
const usual = 'You are a coding agent.';

const isOwn = (path: string, body: object): boolean =>
  isOwnCompaction(readConversation(new URL(path, 'http://provider'), Buffer.from(JSON.stringify(body)))!);

describe('the request for a summary', () => {
  it.each([pi, opencode])('is recognized by its system prompt on every wire format: %s', (prompt) => {
    const texts = (system: string): readonly (readonly [path: string, body: object])[] => [
      ['/messages', { system, messages: [{ role: 'user', content: talk }] }],
      ['/messages', { system: [{ type: 'text', text: system }], messages: [{ role: 'user', content: talk }] }],
      [
        '/chat/completions',
        {
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: talk },
          ],
        },
      ],
      ['/responses', { instructions: system, input: [{ role: 'user', content: talk }] }],
      [
        '/responses',
        {
          input: [
            { role: 'developer', content: system },
            { role: 'user', content: [{ type: 'input_text', text: talk }] },
          ],
        },
      ],
    ];
    for (const [path, body] of texts(prompt)) expect(isOwn(path, body)).toBe(true);
    for (const [path, body] of texts(usual)) expect(isOwn(path, body)).toBe(false);
  });

  it('is recognized by its last user message, which no later one follows', () => {
    const asked = { role: 'user', content: `Here is the conversation so far:\n\n${talk}` };
    expect(isOwn('/messages', { system: usual, messages: [asked] })).toBe(true);
    expect(isOwn('/messages', { system: usual, messages: [asked, { role: 'user', content: 'Go on.' }] })).toBe(false);
  });
});
