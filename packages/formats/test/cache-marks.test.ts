import { type Applied, apply, type Edit, type Message, type Part } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnthropicConversation, type AnthropicMessage, anthropic } from '../src/index.ts';
import { textBlock } from './blocks.ts';

const mark = { cache_control: { type: 'ephemeral' } } as const;
const request = ['<system-reminder>Today is Monday.</system-reminder>', 'Fix the build.', 'Then the upload.'];

/** A conversation with cache marks on the given blocks, counted over all messages. */
function marked(turns: number, at: ReadonlySet<number>): AnthropicConversation {
  let block = 0;
  const texts = (parts: readonly string[]): AnthropicMessage['content'] =>
    parts.map((text) => (at.has(block++) ? { ...textBlock(text), ...mark } : textBlock(text)));
  const messages: AnthropicMessage[] = [{ role: 'user', content: texts(['Hello.']) }];
  for (let turn = 1; turn <= turns; turn++) {
    messages.push({ role: 'assistant', content: texts([`Answer ${turn}.`]) });
    messages.push({ role: 'user', content: texts(turn === 1 ? request : [`Go on ${turn}.`]) });
  }
  return { messages };
}

const marksIn = (value: unknown): number => JSON.stringify(value).split('"cache_control"').length - 1;

const carrying = (groups: readonly [number, number], at: number): Edit => ({
  kind: 'replace',
  groups,
  with: [{ handoff: writeHandoff('Earlier.'), carry: [at] }],
  reasons: [],
});

/** Applies an edit as a session does: a plan is about messages without cache marks, because these move every turn. */
function appliedWithoutMarks(messages: readonly Message[], edit: Edit): Applied<Message> {
  const unmarked = messages.map(({ content, ...message }): Message => {
    if (!Array.isArray(content)) return { ...message, content };
    const parts = (content as readonly Part[]).map(
      ({ cache_control: _, ...part }: Part & { cache_control?: unknown }) => part,
    );
    return { ...message, content: parts as Part[] };
  });
  const { messages: output, provenance } = apply(unmarked, [edit]);
  const restored = output.map((message, at) => {
    const origin = provenance.output[at]!;
    return origin.kind === 'original' ? messages[origin.from]! : (message as Message);
  });
  return { messages: restored, provenance };
}

describe('a request carried by a handoff', () => {
  it('keeps the cache marks that its blocks have in the native request', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(8), { maxLength: 4 }), (marks) => {
        const now = new Set(marks);
        const native = marked(3, now);
        const decoded = anthropic.decode(native);
        for (const apply of [appliedWithoutMarks, appliedWithMarks]) {
          const output = anthropic.encode(decoded, apply(decoded.messages, carrying([0, 3], 2)));
          // Blocks 2 to 4 are the request.
          const first = output.messages[0]!.content as readonly object[];
          expect(first.map(marksIn)).toEqual([0, ...[2, 3, 4].map((at) => (now.has(at) ? 1 : 0))]);
          expect(marksIn(output)).toBeLessThanOrEqual(marksIn(native));
          expect(anthropic.validate(output)).toEqual([]);
        }
      }),
    );
  });
});

describe('a system prompt that is rewritten', () => {
  it('keeps its cache mark, which is behind the last block', () => {
    const system = [textBlock('Billing.'), { ...textBlock('You are a coding agent.'), ...mark }];
    const decoded = anthropic.decode({ system, messages: [{ role: 'user', content: 'Hello.' }] });
    const edit: Edit = { kind: 'rewrite', at: 0, set: { content: 'You are patient.' }, reasons: [{ code: 'stub' }] };
    expect(anthropic.encode(decoded, apply(decoded.messages, [edit])).system).toEqual([
      { ...textBlock('You are patient.'), ...mark },
    ]);
  });
});

describe('equal blocks', () => {
  it('do not share a cache mark', () => {
    const twice: AnthropicConversation = {
      messages: [
        { role: 'user', content: [textBlock('Again.'), { ...textBlock('Again.'), ...mark }] },
        { role: 'assistant', content: [textBlock('Yes.')] },
      ],
    };
    const decoded = anthropic.decode(twice);
    for (const apply of [appliedWithoutMarks, appliedWithMarks])
      expect(marksIn(anthropic.encode(decoded, apply(decoded.messages, carrying([0, 1], 0))))).toBe(1);
  });
});

function appliedWithMarks(messages: readonly Message[], edit: Edit): Applied<Message> {
  return apply(messages, [edit]);
}
