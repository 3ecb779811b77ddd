import { isSystem, type Message } from '@palimpsest/core';
import { arbitraryTranscript, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anthropic, type ShareGptConversation, shareGpt } from '../src/index.ts';
import { type AnyConversation, codecs, untouched } from './every-codec.ts';
import { readAnthropic, readShareGpt, sharedDataPresent, someTranscripts } from './shared-data.ts';

const runs = { numRuns: process.env.PALIMPSEST_DEEP ? 2_000 : 40 };

describe.each(codecs)('$name', (codec) => {
  it('returns the same object for an unedited conversation', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 60 }), (messages) => {
        const native = codec.fromMessages(messages);
        const before = JSON.stringify(native);
        const decoded = codec.decode(native);
        expect(codec.encode(decoded, { messages: decoded.messages, provenance: untouched([]).provenance })).toBe(
          native,
        );
        expect(codec.encode(decoded, untouched(decoded.messages))).toBe(native);
        expect(JSON.stringify(native)).toBe(before);
      }),
      runs,
    );
  });

  it('gives the native pieces of every message, in order, each piece once', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 60 }), (messages) => {
        const { origins, messages: core } = codec.decode(codec.fromMessages(messages));
        expect(origins).toHaveLength(core.length);
        const places = origins.flatMap(({ pieces }) =>
          pieces.flatMap(({ index, blocks }) => (blocks ? blocks.map((block) => index * 1e6 + block) : [index * 1e6])),
        );
        expect(new Set(places).size).toBe(places.length);
        expect([...places].sort((left, right) => left - right)).toEqual(places);
      }),
      runs,
    );
  });

  it('decodes a conversation that grew to the same core messages plus new ones', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 40, broken: false }), (messages) => {
        const native = codec.fromMessages([...messages, { role: 'assistant', content: 'Done.' }]);
        const grown = codec.fromMessages([user('One more.')]);
        const before = codec.decode(native).messages;
        const after = codec.decode(joined(native, grown)).messages;
        // New turns may change how the last message of a row is read.
        const settled = before.length - 1;
        expect(after).toHaveLength(before.length + 1);
        for (let at = 0; at < settled; at++) expect(after[at]).toBe(before[at]);
      }),
      runs,
    );
  });
});

/** Joins two conversations. The native messages are the same objects. */
function joined(native: AnyConversation, more: AnyConversation): AnyConversation {
  const field = (['messages', 'conversations', 'input', 'contents'] as const).find((name) => native[name])!;
  return { ...native, [field]: [...(native[field] as readonly object[]), ...(more[field] as readonly object[])] };
}

describe('real conversations', () => {
  it.skipIf(!sharedDataPresent)('of Anthropic clients are returned as the same objects (needs ../shared)', () => {
    for (const [name, native] of readAnthropic()) {
      const decoded = anthropic.decode(native);
      expect(anthropic.encode(decoded, untouched(decoded.messages)), name).toBe(native);
      // For a copy, such as a body that was parsed again, the JSON is the same, byte for byte.
      const copy = structuredClone(native);
      const again = anthropic.decode(copy);
      expect(JSON.stringify(again.messages) === JSON.stringify(decoded.messages), name).toBe(true);
      const back = JSON.stringify(anthropic.encode(again, untouched(again.messages)));
      expect(back === JSON.stringify(native), name).toBe(true);
    }
  });

  it.skipIf(!sharedDataPresent)('of ShareGPT sets are returned as the same objects (needs ../shared)', () => {
    for (const [name, rows] of readShareGpt())
      for (const row of rows as ShareGptConversation[]) {
        const decoded = shareGpt.decode(row);
        expect(shareGpt.encode(decoded, untouched(decoded.messages)), name).toBe(row);
        expect(shareGpt.validate(row).filter(({ rule }) => rule !== 'roles-not-alternating')).toEqual([]);
      }
  });

  it.skipIf(!sharedDataPresent)('survive a round trip through every format (needs ../shared)', () => {
    for (const [name, messages] of someTranscripts(0))
      for (const codec of codecs) {
        const native = codec.fromMessages(messages);
        const { messages: back } = codec.decode(native);
        const again = codec.decode(codec.fromMessages(back)).messages;
        // Compared with the result of the first round trip, because a format may not support everything.
        expect(JSON.stringify(again) === JSON.stringify(back), `${name} ${codec.name}`).toBe(true);
        // In ShareGPT, a tag that a text only mentions is read as a tag.
        if (codec !== codecs[3] || !/<(think|tool_call|tool_response)>/.test(JSON.stringify(messages)))
          expect(spoken(asRead(codec, back)), `${name} ${codec.name}`).toEqual(spoken(asRead(codec, messages)));
      }
  });
});

/** Matches the name of a call that was written as text. */
const writtenCall = /<tool_call>\n\{"name":"([^"]*)".*\}\n<\/tool_call>/g;

/** All texts and calls of a conversation, without the borders of messages. */
function spoken(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    const texts = typeof message.content === 'string' ? [message.content] : (message.content ?? []).flatMap(partText);
    const calls = (message.tool_calls ?? []).map((call) =>
      call.type === 'custom' ? call.custom.name : call.function.name,
    );
    const lines = texts.flatMap((text) => text.replaceAll(writtenCall, '$1').split('\n'));
    return [...lines.map((line) => line.trim()), ...calls].filter(isWord);
  });
}

function partText(part: { readonly type: string }): string[] {
  return 'text' in part && typeof part.text === 'string' ? [part.text] : [];
}

/** Brings messages that a dialect may reorder into one order. */
function asRead({ name }: { readonly name: string }, messages: readonly Message[]): readonly Message[] {
  if (name === 'shareGpt') return paired(messages);
  // The Messages API accepts system messages only after a user turn, the Gemini API and Bedrock only in the prompt.
  return ['anthropic', 'gemini', 'bedrock'].includes(name)
    ? messages.toSorted((left, right) => Number(isSystem(right)) - Number(isSystem(left)))
    : messages;
}

/** ShareGPT has no ids: unanswered calls come first, as text; the others are in the order of their answers. */
function paired(messages: readonly Message[]): readonly Message[] {
  return messages.map((message, at) => {
    const calls = message.tool_calls ?? [];
    const behind = messages.slice(at + 1);
    const end = behind.findIndex(({ role }) => role !== 'tool');
    const answers = behind.slice(0, end < 0 ? behind.length : end).map(({ tool_call_id: id }) => id);
    if (calls.length < 2 || answers.length === 0) return message;
    const place = ({ id }: { readonly id: string }): number => answers.indexOf(id);
    return { ...message, tool_calls: calls.toSorted((left, right) => place(left) - place(right)) };
  });
}

/** ShareGPT has no images. */
function isWord(line: string): boolean {
  return line !== '' && !line.endsWith(': cannot be shown here]');
}
