import { apply, type Part } from '@palimpsest/core';
import { insertedUser } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnthropicConversation, type AnthropicMessage, anthropic } from '../src/index.ts';
import { textBlock } from './blocks.ts';

const mark = { cache_control: { type: 'ephemeral' } } as const;
const request = ['<system-reminder>Today is Monday.</system-reminder>', 'Fix the build.', 'Then the upload.'];

/** A conversation of turns whose marks stand on the given blocks, counted over all messages. */
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

/** What a session keeps of the request: a handoff that carries it, made when the marks stood elsewhere. */
function carriedAt(native: AnthropicConversation): ReturnType<typeof insertedUser> {
  const { messages } = anthropic.decode(native);
  return insertedUser([textBlock('[handoff]'), ...(messages[2]!.content as readonly Part[])]);
}

describe('a request carried by a handoff', () => {
  const moving = fc.tuple(
    fc.uniqueArray(fc.nat(8), { maxLength: 4 }).map((at) => new Set(at)),
    fc.uniqueArray(fc.nat(8), { maxLength: 4 }).map((at) => new Set(at)),
  );

  it('has the marks of the request that is sent, not those of the compaction', () => {
    fc.assert(
      fc.property(moving, ([before, now]) => {
        const carrier = carriedAt(marked(1, before));
        const native = marked(3, now);
        const decoded = anthropic.decode(native);
        const edits = [{ kind: 'replace', groups: [0, 3], with: [carrier], carries: [2], reasons: [] }] as const;
        const output = anthropic.encode(decoded, apply(decoded.messages, edits));
        // Blocks 2 to 4 are the request.
        const first = output.messages[0]!.content as readonly object[];
        expect(first.map(marksIn)).toEqual([0, ...[2, 3, 4].map((at) => (now.has(at) ? 1 : 0))]);
        expect(marksIn(output)).toBeLessThanOrEqual(marksIn(native));
        expect(anthropic.validate(output)).toEqual([]);
      }),
    );
  });

  it('has no marks when the request is not in the conversation any more', () => {
    const carrier = carriedAt(marked(1, new Set([2, 3, 4])));
    const native: AnthropicConversation = {
      messages: [{ role: 'user', content: [{ ...textBlock('Other.'), ...mark }] }],
    };
    const decoded = anthropic.decode(native);
    const edits = [{ kind: 'replace', groups: [0, 0], with: [carrier], reasons: [] }] as const;
    const output = anthropic.encode(decoded, apply(decoded.messages, edits));
    expect(marksIn(output)).toBe(1);
  });
});

describe('blocks that say the same', () => {
  it('do not share a mark', () => {
    const twice: AnthropicConversation = {
      messages: [
        { role: 'user', content: [textBlock('Again.'), { ...textBlock('Again.'), ...mark }] },
        { role: 'assistant', content: 'Yes.' },
      ],
    };
    const decoded = anthropic.decode(twice);
    const carrier = insertedUser([textBlock('[handoff]'), textBlock('Again.'), textBlock('Again.')]);
    const edits = [{ kind: 'replace', groups: [0, 1], with: [carrier], carries: [0], reasons: [] }] as const;
    expect(marksIn(anthropic.encode(decoded, apply(decoded.messages, edits)))).toBe(1);
  });
});
