import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonCopy } from '../src/border/json-copy.ts';
import { structuralCopy } from '../src/border/structural-copy.ts';

/** All objects in a value, including itself. */
function objectsOf(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found;
  found.add(value);
  for (const item of Object.values(value)) objectsOf(item, found);
  return found;
}

const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__"'));

describe('a JSON copy', () => {
  it('is equal, and shares no object with the original', () => {
    fc.assert(
      fc.property(json, (value) => {
        const copy = jsonCopy(value, 'it');
        expect(copy).toEqual(value);
        const own = objectsOf(value);
        for (const object of objectsOf(copy)) expect(own.has(object)).toBe(false);
      }),
    );
  });

  it('is deep-frozen only on request', () => {
    fc.assert(
      fc.property(json, (value) => {
        for (const object of objectsOf(jsonCopy(value, 'it', { frozen: true })))
          expect(Object.isFrozen(object)).toBe(true);
        for (const object of objectsOf(jsonCopy(value, 'it')))
          expect(Object.isFrozen(object)).toBe(Object.keys(object).length === 0 && !Object.isExtensible(object));
      }),
    );
  });

  it('fails or survives a JSON round trip, for any value', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (value) => {
          let copy: unknown;
          try {
            copy = jsonCopy(value, 'it');
          } catch (error) {
            expect(error).toMatchObject({ code: 'PLAN_INVALID' });
            return;
          }
          // Minus zero is the only number that JSON changes.
          expect(JSON.parse(JSON.stringify(copy))).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
    );
  });

  it('omits undefined properties, and rejects values that are too deep', () => {
    expect(jsonCopy({ a: undefined, b: 1 }, 'it')).toEqual({ b: 1 });
    let deep: unknown = 1;
    for (let level = 0; level < 300; level++) deep = { deep };
    expect(() => jsonCopy(deep, 'the plan')).toThrow('The plan is not JSON: it is nested deeper than 200 levels.');
  });
});

describe('a structural copy', () => {
  it('is equal and frozen, and shares no object with the original', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = structuralCopy(value);
        expect(copy).toEqual(value);
        const own = objectsOf(value);
        for (const object of objectsOf(copy)) {
          expect(own.has(object)).toBe(false);
          expect(Object.isFrozen(object)).toBe(true);
        }
      }),
    );
  });

  it('copies bytes, follows cycles, and turns other objects into plain ones', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const message: Record<string, unknown> = { role: 'user', content: [{ type: 'file', data: bytes }], at: new Map() };
    message.self = message;
    const copy = structuralCopy(message) as typeof message;
    const part = (copy.content as { data: Uint8Array }[])[0]!;
    expect(part.data).toEqual(bytes);
    expect(part.data).not.toBe(bytes);
    expect(copy.self).toBe(copy);
    expect(copy.at).toEqual({});
  });

  it('never throws, even for very deep data', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(Array.isArray(structuralCopy(deep))).toBe(true);
    fc.assert(fc.property(fc.anything(), (value) => void structuralCopy(value)));
  });
});
