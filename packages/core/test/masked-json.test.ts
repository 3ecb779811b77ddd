import { describe, expect, it } from 'vitest';
import { maskedJson, maskedJsonText } from '../src/json/masked-json.ts';

const redact = (text: string): string => text.replace(/badger\d*/g, 'xxx').replace(/("password":")[^"]+"/g, '$1***"');

describe('maskedJson', () => {
  it('masks every string and key, and values by the name of their key', () => {
    const value = {
      a: 'a badger',
      badger1: [{ badger2: 'x', badger3: ['badger'] }],
      password: 'hunter2',
      n: 1,
      z: null,
    };
    expect(maskedJson(value, redact)).toEqual({
      a: 'a xxx',
      xxx: [{ xxx: 'x', 'xxx (2)': ['xxx'] }],
      password: '***',
      n: 1,
      z: null,
    });
    expect(value.a).toBe('a badger');
    expect(maskedJson('badger', redact)).toBe('xxx');
    expect(JSON.stringify(maskedJson(JSON.parse('{"__proto__": "badger", "b": "badger"}'), redact))).toBe(
      '{"__proto__":"xxx","b":"xxx"}',
    );
  });

  it('returns values without secrets as the same object, and copies only what changed', () => {
    const clean = { deep: [{ text: 'fine' }] };
    expect(maskedJson(clean, redact)).toBe(clean);
    const both = { clean, other: ['badger'] };
    const masked = maskedJson(both, redact);
    expect(masked).toEqual({ clean, other: ['xxx'] });
    expect(masked.clean).toBe(clean);
    expect(maskedJson(masked, redact)).toBe(masked);
  });

  it('does not recurse, and visits shared objects once', () => {
    let deep: unknown = 'badger';
    for (let level = 0; level < 100_000; level++) deep = level % 2 ? [deep] : { deep };
    let at = maskedJson(deep, redact) as unknown;
    while (typeof at === 'object' && at !== null) at = Object.values(at)[0];
    expect(at).toBe('xxx');
    let shared: unknown = ['badger'];
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    expect(maskedJson(shared, redact)).not.toBe(shared);
    const loop: unknown[] = ['badger'];
    loop.push(loop);
    expect((maskedJson(loop, redact) as unknown[])[0]).toBe('xxx');
  });
});

describe('maskedJsonText', () => {
  it('masks escaped secrets, and keeps JSON valid', () => {
    expect(JSON.parse(maskedJsonText('{"a":"\\u0062adger","b":[1]}', redact))).toEqual({ a: 'xxx', b: [1] });
    expect(maskedJsonText('{"a": "fine"}', redact)).toBe('{"a": "fine"}');
    expect(maskedJsonText('a badger', redact)).toBe('a xxx');
    const greedy = (text: string): string => text.replace(/badger.*/, 'xxx');
    expect(JSON.parse(maskedJsonText('{"a":"badger","b":1}', greedy))).toEqual({ a: 'xxx', b: 1 });
  });
});
