import { describe, expect, it } from 'vitest';
import { fingerprint, jsonText } from '../src/authoring.ts';
import type { Message } from '../src/index.ts';
import { isJsonValue } from '../src/json/json-value.ts';

function nested(levels: number, inner: unknown = 'end'): unknown {
  let value = inner;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { value };
  return value;
}

/** Values of every kind that JSON.stringify writes, omits or converts. */
const values: readonly unknown[] = [
  [],
  {},
  [[], {}, [null], { a: undefined, b: [] }],
  ['"quoted"\n\u2028\ud800', -0, 1e21, Number.NaN, true, undefined, () => 1, Symbol('x')],
  { a: undefined, 'b"c': 1, d: { toJSON: (key: string) => `asked for ${key}` }, e: new Date(0), f: [new Date(0)] },
  Object.create(null),
];

describe('jsonText', () => {
  it.each(values)('writes what JSON.stringify writes, also where that exceeds the stack: %#', (value) => {
    const written = JSON.stringify([value]);
    expect(jsonText([value])).toBe(written);
    const depth = 50_000;
    const deep = jsonText(nested(depth, [value]))!;
    expect(deep).toBe('[{"value":'.repeat(depth / 2) + written + '}]'.repeat(depth / 2));
  });

  it('returns undefined for a function or undefined, and rejects cycles at any depth', () => {
    expect([jsonText(undefined), jsonText(() => 1)]).toEqual([undefined, undefined]);
    const loop: unknown[] = [];
    loop.push(nested(50_000, loop));
    expect(() => jsonText(loop)).toThrow(TypeError);
  });
});

describe('isJsonValue', () => {
  it('is true for JSON and false for values that are too deep, without a stack overflow', () => {
    for (const good of [null, 'text', 1, true, [], {}, { a: [{ b: null }], c: undefined }])
      expect(isJsonValue(good)).toBe(true);
    expect(isJsonValue(nested(900))).toBe(true);
    expect(isJsonValue(nested(100_000))).toBe(false);
    const shared = { a: 1 };
    expect(isJsonValue([shared, shared, { shared }])).toBe(true);
    const loop: unknown[] = [];
    loop.push(loop);
    for (const bad of [loop, [undefined], { a: () => 1 }, [Number.NaN], new Date(), new Map()])
      expect(isJsonValue(bad)).toBe(false);
  });
});

describe('fingerprint', () => {
  it('accepts messages with deeply nested parts', () => {
    const message = { role: 'user', content: [{ type: 'json', value: nested(100_000) }] } as unknown as Message;
    expect(fingerprint([message])).toMatch(/^[0-9a-f]{8}$/);
  });
});
