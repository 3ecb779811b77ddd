import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closingFence, findPastedFences } from '../src/authoring.ts';

const outside = (text: string): string => {
  let from = 0;
  let rest = '';
  for (const fence of findPastedFences(text)) {
    rest += text.slice(from, fence.from);
    from = fence.to;
  }
  return (rest + text.slice(from)).trim();
};
const line = fc.constantFrom('```', '```js', '````', '~~~', '~~~ sh', '  ```', 'a', 'x `y` z', '');

describe('pasted code fences', () => {
  it.each([
    ['Fix it.\n```\nx\n```\nNever push.', 'Fix it.\n\nNever push.'],
    ['```js\nx\n```\nNever push.\n```sh\ny\n```', 'Never push.'],
    ['````\n```\nAlways push.\n````\nFix it.', 'Fix it.'],
    ['~~~\n```\nAlways push.\n~~~\nFix it.', 'Fix it.'],
    // A pasted document with a block of its own.
    ['Fix it.\n```\nx\n```js\ny\n```\nAlways push.\n```\nThen stop.', 'Fix it.\n\nThen stop.'],
    // Lines that do not pair up: nothing after the first one is certain to be typed.
    ['Fix it.\n```\nx\n```\nAlways push.\n```\nThen stop.', 'Fix it.'],
    ['Fix it.\n```\nx', 'Fix it.'],
    ['Why is ```x``` shown?\nNever push.', 'Why is ```x``` shown?\nNever push.'],
  ])('of %j', (text, typed) => {
    expect(outside(text)).toBe(typed);
  });

  it('are in order, do not overlap, and hide all that is within one fence', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const text = lines.join('\n');
        let last = 0;
        for (const { from, to, isClosed } of findPastedFences(text)) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          expect(isClosed || to === text.length).toBe(true);
          last = to;
        }
        // Without fences of the same mark in it, what is pasted stays in its fence.
        expect(outside(`\`\`\`\`\`\`\n${text}\nzqx\n\`\`\`\`\`\``)).toBe('');
      }),
    );
  });
});

describe('the fence around output', () => {
  const rule = 'zqx';
  it('ends with its last line, however the output imitates it', () => {
    expect(closingFence('```\nx\n```\nAfter')).toBe('```\nx\n```'.length);
    expect(closingFence('```\nx\n```\nzqx\n```\ny\n```\nAfter')).toBe('```\nx\n```\nzqx\n```\ny\n```'.length);
    for (const text of [
      '```\nx',
      '```\nx\n```\nzqx\n```',
      '```\n```js\nx\n```\nzqx',
      '````\nx\n```\nzqx',
      '~~~\nx\n```',
    ])
      expect([text, closingFence(text)]).toEqual([text, -1]);
  });

  it('holds all of the output if that has no fence of the same mark', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const text = `\`\`\`\`\`\n${lines.join('\n')}\n${rule}\n\`\`\`\`\`\nAfter`;
        expect(text.slice(closingFence(text)).trim()).toBe('After');
      }),
    );
  });
});

it('takes linear time', () => {
  for (const piece of ['```\n', '```js\n', '~~~\n```\n', ' '.repeat(12), '`', '\n'])
    expect(
      [closingFence(piece.repeat(100_000)), findPastedFences(piece.repeat(100_000)).length].every(Number.isFinite),
    ).toBe(true);
});
