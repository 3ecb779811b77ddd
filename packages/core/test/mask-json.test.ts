import { describe, expect, it } from 'vitest';
import { maskJson, maskJsonText } from '../src/json/mask-json.ts';

const redact = (text: string): string => text.replace(/badger\d*/g, 'xxx').replace(/("password":")[^"]+"/g, '$1***"');

describe('maskJson', () => {
  it('masks every string and key, and values by the name of their key', () => {
    const value = {
      a: 'a badger',
      badger1: [{ badger2: 'x', badger3: ['badger'] }],
      password: 'hunter2',
      n: 1,
      z: null,
    };
    expect(maskJson(value, redact)).toEqual({
      a: 'a xxx',
      xxx: [{ xxx: 'x', 'xxx (2)': ['xxx'] }],
      password: '***',
      n: 1,
      z: null,
    });
    expect(value.a).toBe('a badger');
    expect(maskJson('badger', redact)).toBe('xxx');
    expect(JSON.stringify(maskJson(JSON.parse('{"__proto__": "badger", "b": "badger"}'), redact))).toBe(
      '{"__proto__":"xxx","b":"xxx"}',
    );
  });

  it('returns values without secrets as the same object, and copies only what changed', () => {
    const clean = { deep: [{ text: 'fine' }] };
    expect(maskJson(clean, redact)).toBe(clean);
    const both = { clean, other: ['badger'] };
    const masked = maskJson(both, redact);
    expect(masked).toEqual({ clean, other: ['xxx'] });
    expect(masked.clean).toBe(clean);
    expect(maskJson(masked, redact)).toBe(masked);
  });

  it('does not recurse, and visits shared objects once', () => {
    let deep: unknown = 'badger';
    for (let level = 0; level < 100_000; level++) deep = level % 2 ? [deep] : { deep };
    let at = maskJson(deep, redact) as unknown;
    while (typeof at === 'object' && at !== null) at = Object.values(at)[0];
    expect(at).toBe('xxx');
    let shared: unknown = ['badger'];
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    expect(maskJson(shared, redact)).not.toBe(shared);
    const loop: unknown[] = ['badger'];
    loop.push(loop);
    expect((maskJson(loop, redact) as unknown[])[0]).toBe('xxx');
  });
});

describe('maskJsonText', () => {
  it('masks escaped secrets, and keeps JSON valid', () => {
    expect(JSON.parse(maskJsonText('{"a":"\\u0062adger","b":[1]}', redact))).toEqual({ a: 'xxx', b: [1] });
    expect(maskJsonText('{"a": "fine"}', redact)).toBe('{"a": "fine"}');
    expect(maskJsonText('a badger', redact)).toBe('a xxx');
    const greedy = (text: string): string => text.replace(/badger.*/, 'xxx');
    expect(JSON.parse(maskJsonText('{"a":"badger","b":1}', greedy))).toEqual({ a: 'xxx', b: 1 });
  });
});
