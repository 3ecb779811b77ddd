import { image, result, text, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { pruneOnAppend } from '../src/index.ts';
import { lines } from './stub-line.ts';

const long = result('1', lines(4_000));

/** Recognizes a key only as a whole. */
const redact = (given: string): string => given.replace(/<key>[\s\S]*<\/key>/g, '[masked]');

describe('an oversized result', () => {
  it('keeps its beginning and end, states how much is missing, and is returned uncut as well', () => {
    const { message, original } = pruneOnAppend(long, { maximum: 1_000 });
    const content = message.content as string;
    expect(original).toBe(long);
    expect(content.length).toBeLessThanOrEqual(4_000);
    const [, first, cut, last] = /^([\s\S]*)\n\[\.\.\. (\d+) characters cut here \.\.\.\]\n([\s\S]*)$/.exec(content)!;
    expect((long.content as string).startsWith(first!)).toBe(true);
    expect((long.content as string).endsWith(last!)).toBe(true);
    expect(first!.length + Number(cut) + last!.length).toBe((long.content as string).length);
    expect(last).toMatch(/^line \d+ of the output/);
  });
  it('is not cut again', () => {
    const { message } = pruneOnAppend(long, { maximum: 1_000 });
    expect(pruneOnAppend(message, { maximum: 1_000 })).toEqual({ message, original: null });
  });
  it('leaks no half of a secret that the cut would split', () => {
    const key = `<key>${'0f'.repeat(4_000)}</key>`;
    for (const [before, after] of [
      [400, 400],
      [40, 400],
      [400, 40],
    ] as const) {
      const given = result('1', `${lines(before)}\n${key}\n${lines(after)}`);
      const { message, original } = pruneOnAppend(given, { maximum: 2_000, redact });
      expect(original).toBe(given);
      expect(message.content).not.toMatch(/0f0f|key>/);
    }
  });
  it('is only masked when it fits without its secrets', () => {
    const given = result('1', `start\n<key>${'0f'.repeat(4_000)}</key>\nend`);
    const { message, original } = pruneOnAppend(given, { maximum: 1_000, redact });
    expect(message.content).toBe('start\n[masked]\nend');
    expect(original).toBe(given);
  });
  it('keeps its pictures', () => {
    const { message } = pruneOnAppend(result('1', [text(lines(4_000)), image()]), { maximum: 1_000 });
    expect((message.content as unknown[])[1]).toEqual(image());
  });
});

it('small results, protected tools and other messages are returned unchanged', () => {
  for (const [message, policy] of [
    [result('1', lines(40)), {}],
    [long, { maximum: 1_000, tool: 'skill_view' }],
    [user(lines(4_000)), { maximum: 1_000 }],
  ] as const)
    expect(pruneOnAppend(message, policy)).toEqual({ message, original: null });
});

it('a cut never splits a surrogate pair', () => {
  const emoji = result('1', '\u{1F600}'.repeat(5_000));
  for (let maximum = 100; maximum < 110; maximum++)
    expect(pruneOnAppend(emoji, { maximum }).message.content).not.toMatch(/\p{Surrogate}/u);
});
