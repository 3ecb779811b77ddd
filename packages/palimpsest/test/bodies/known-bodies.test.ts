import { wireNamed } from '@palimpsest/formats/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownBodies } from '../../src/bodies/known-bodies.ts';

const chat = wireNamed('openai-chat');
const message = fc.oneof(
  { weight: 9, arbitrary: fc.dictionary(fc.constantFrom('role', 'content', 'a"]}', '__proto__'), fc.jsonValue()) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const frame = fc.dictionary(fc.constantFrom('model', 'tools', 'messages', 'input', 'stream'), fc.jsonValue());
const space = fc.constantFrom('', ' ', '\n\t', ' \r\n ');

/** A body with other fields before and after the list, some of them with its name. */
const body = fc
  .tuple(frame, fc.array(message, { maxLength: 12 }), frame, space, fc.constantFrom('messages', 'mess\\u0061ges'))
  .map(([before, items, after, gap, name]) => ({ before, items, after, gap, name }));
type Body = typeof body extends fc.Arbitrary<infer T> ? T : never;

function textOf({ before, items, after, gap, name }: Body): string {
  const fields = (given: object): string[] =>
    Object.entries(given).map(([key, value]) => `${JSON.stringify(key)}${gap}:${JSON.stringify(value)}`);
  const list = `"${name}":${gap}[${gap}${items.map((item) => JSON.stringify(item)).join(`${gap},${gap}`)}${gap}]`;
  return `{${gap}${[...fields(before), list, ...fields(after)].join(`${gap},`)}${gap}}`;
}

/** What the next request of a conversation may be. */
const change = fc.oneof(
  fc.record({ added: fc.array(message, { maxLength: 3 }) }),
  fc.record({ at: fc.nat(12), replaced: message }),
  fc.record({ length: fc.nat(12) }),
  fc.record({ after: frame }),
  fc.record({ before: frame }),
  fc.record({ cutAt: fc.double({ min: 0, max: 1, noNaN: true }), insert: fc.constantFrom('', ',', ']', '"', '{}') }),
);

function changed(given: Body, next: typeof change extends fc.Arbitrary<infer T> ? T : never): Body {
  if ('added' in next) return { ...given, items: [...given.items, ...next.added] };
  if ('replaced' in next)
    return { ...given, items: given.items.map((item, at) => (at === next.at ? next.replaced : item)) };
  if ('length' in next) return { ...given, items: given.items.slice(0, next.length) };
  return { ...given, ...next };
}

function parsed(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : null;
  } catch {
    return null;
  }
}

describe('bodies that were read before', () => {
  it('are read like JSON.parse reads them, also when the next one is broken', () => {
    fc.assert(
      fc.property(body, fc.array(change, { minLength: 1, maxLength: 6 }), (first, changes) => {
        const bodies = new KnownBodies();
        let current = first;
        for (const next of [{ added: [] }, ...changes]) {
          current = changed(current, next);
          const whole = textOf(current);
          const cut = 'cutAt' in next ? Math.floor(whole.length * next.cutAt) : whole.length;
          const text = whole.slice(0, cut) + ('cutAt' in next ? next.insert : '') + whole.slice(cut + 1);
          const read = bodies.read(Buffer.from(text), chat);
          expect(read && JSON.stringify(read.body)).toBe(parsed(text));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keep their message objects, and the new bytes are counted', () => {
    const bodies = new KnownBodies();
    const messages = Array.from({ length: 20 }, (_, at) => ({ role: 'user', content: `${at} `.repeat(50) }));
    const read = (list: readonly object[], model = 'm') =>
      bodies.read(Buffer.from(JSON.stringify({ model, messages: list, tools: [{ name: 'read' }] })), chat)!;
    const first = read(messages);
    const added = { role: 'user', content: 'né' };
    const next = read([...messages, added]);
    const objects = (list: unknown) => list as object[];
    objects(first.body.messages).forEach((object, at) => expect(objects(next.body.messages)[at]).toBe(object));
    expect(next.body.tools).toBe(first.body.tools);
    expect(next.growth).toEqual({
      from: first.version,
      bytes: Buffer.byteLength(JSON.stringify(added)) + 1,
      hasMedia: false,
    });
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] };
    expect(read([...messages, added, image]).growth).toMatchObject({ from: next.version, hasMedia: true });
    expect(read([{ role: 'user', content: 'another' }, ...messages]).growth).toBeNull();
  });
});
