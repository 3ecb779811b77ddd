import { describe, expect, it } from 'vitest';
import { apiVersion, defineEngine, type EnginePlanner, fingerprint, isJson, plainReader } from '../src/authoring.ts';
import { type ContextEvent, createHost, dialects, type Message, PalimpsestError, systemClock } from '../src/index.ts';
import { checksum } from '../src/json/checksum.ts';
import { isJsonValue } from '../src/json/json-value.ts';

describe('an error', () => {
  const error = new PalimpsestError('ENGINE_UNKNOWN', 'There is no engine "x".', { known: ['a'] }, { cause: 7 });

  it('has a code, details and its cause', () => {
    expect(error).toMatchObject({
      name: 'PalimpsestError',
      code: 'ENGINE_UNKNOWN',
      details: { known: ['a'] },
      cause: 7,
    });
    expect(error).toBeInstanceOf(Error);
    expect(new PalimpsestError('ABORTED', 'stopped').details).toEqual({});
  });

  it('is recognized by its marker alone, even if another copy of the package created it', () => {
    const foreign = Object.assign(new Error('x'), { [Symbol.for('palimpsest.error')]: true });
    expect([error, foreign].map(PalimpsestError.is)).toEqual([true, true]);
    expect([null, undefined, 'x', new Error('x'), { code: 'ABORTED' }].map(PalimpsestError.is)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a checksum', () => {
  it('is eight digits and changes with every character, its place, and the length', () => {
    expect(checksum('')).toMatch(/^[0-9a-f]{8}$/);
    const texts = ['', 'a', 'b', 'ab', 'ba', 'aa', 'a\u0000', '\ud83d\ude00', '\ud83d'];
    expect(new Set(texts.map(checksum)).size).toBe(texts.length);
  });
});

describe('a JSON value', () => {
  it('survives a JSON round trip unchanged', () => {
    for (const value of [null, 1, 'a', true, [], {}, { a: [1, { b: null }] }, { a: undefined }, Object.create(null)])
      expect(isJsonValue(value)).toBe(true);
    const circular: unknown[] = [];
    circular.push(circular);
    for (const value of [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      () => 1,
      Symbol('a'),
      new Date(),
      new Map(),
      [undefined],
      circular,
    ])
      expect(isJsonValue(value)).toBe(false);
  });

  it('can contain one object twice', () => {
    const shared = { a: 1 };
    expect(isJsonValue([shared, shared])).toBe(true);
    // Forty levels that each contain the next one twice: visited once each, not 2^40 times.
    const deep = Array.from({ length: 40 }).reduce<unknown>((below) => [below, below], 'end');
    expect(isJsonValue(deep)).toBe(true);
  });

  it('serializes to text that a JSON parser accepts', () => {
    expect(['{}', '1', '"a"', '', '{', "{'a': 1}"].map(isJson)).toEqual([true, true, true, false, false, false]);
  });
});

describe('a fingerprint', () => {
  const message: Message = { role: 'user', content: 'a' };

  it('covers a prefix, and is equal for equal content in different objects', () => {
    expect(fingerprint([message, message], 1)).toBe(fingerprint([{ ...message }]));
    expect(fingerprint([message])).not.toBe(fingerprint([message, message]));
    expect(fingerprint([])).toMatch(/^[0-9a-f]{8}$/);
  });

  it('notices content that was changed in place', () => {
    const changing = { role: 'user' as const, content: 'a' };
    const before = fingerprint([changing]);
    changing.content = 'b';
    expect(fingerprint([changing])).not.toBe(before);
  });
});

describe('a host', () => {
  const tokens = { countText: () => 0, countMessage: () => 0 };

  it('has defaults except for counting, redacting and reading', () => {
    const host = createHost({ tokens, redact: (text) => text.toUpperCase(), reader: plainReader });
    expect(host).toMatchObject({ dialect: 'openai', clock: systemClock, reader: plainReader });
    expect(host.isFromPerson({ role: 'user', content: 'go on' }, 0, [])).toBe(true);
    expect(host.isFromPerson({ role: 'user', content: ' ' }, 0, [])).toBe(false);
    expect(host.redact('a')).toBe('A');
    expect(host.summarizer).toBeUndefined();
    expect(host.emit({ type: 'warning', engine: 'x', message: 'y' })).toBeUndefined();
  });

  it('passes events on, and keeps its parts bound to their owner', () => {
    const seen: ContextEvent[] = [];
    const owner = {
      tokens,
      reader: plainReader,
      mask: '***',
      redact() {
        return this.mask;
      },
      emit(event: ContextEvent) {
        seen.push(event);
      },
      dialect: 'strict' as const,
    };
    const host = createHost(owner);
    host.emit({ type: 'warning', engine: 'x', message: 'y' });
    expect([host.redact('a'), host.dialect, seen.length]).toEqual(['***', 'strict', 1]);
  });

  it('knows three dialects', () => {
    expect(dialects).toEqual(['openai', 'anthropic', 'strict']);
  });
});

describe('the system clock', () => {
  it('returns the time, and does not run cancelled callbacks', async () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
    const ran: string[] = [];
    const cancel = systemClock.schedule(() => ran.push('cancelled'), 1);
    cancel();
    await new Promise<void>((resolve) => void systemClock.schedule(resolve, 5));
    expect(ran).toEqual([]);
  });
});

describe('a plugin', () => {
  it('is returned unchanged', () => {
    const planner: EnginePlanner<null> = {
      initial: null,
      budget: ({ contextLength }) => ({
        contextLength,
        usableTokens: 0,
        thresholdTokens: 0,
        tailTokens: 0,
        summaryTokens: 0,
      }),
      plan: async () => ({ edits: [], state: null }),
    };
    const plugin = { name: 'mine', apiVersion, create: () => planner };
    expect(defineEngine(plugin)).toBe(plugin);
  });
});
