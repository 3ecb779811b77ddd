import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gistOf } from '../../src/work-record/user-messages/gist.ts';

describe('the gist of a message', () => {
  it('is the whole of a short message, and a slash command as it was typed', () => {
    expect(gistOf(' Fix the parser.\nThen the tests. ')).toBe('Fix the parser. Then the tests.');
    expect(gistOf('<command-name>/review</command-name>\n<command-args>12</command-args>')).toBe('/review 12');
  });

  it('has both ends of a longer one, whatever is pasted between them', () => {
    const log = Array.from({ length: 400 }, (_, at) => `12:00:0${at % 10} worker ${at} started`).join('\n');
    const gist = gistOf(
      `The import fails since Monday:\n\n${log}\n\nFind out why, and do not restart the workers before I say so.`,
    );
    expect(gist).toMatch(/^The import fails since Monday: 12:00:00 worker 0 started/);
    expect(gist).toMatch(
      /\[\.\.\. \d+ characters \.\.\.\] Find out why, and do not restart the workers before I say so\.$/,
    );
  });

  it('is verbatim at both ends, short and without half a character, for every message', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 500, maxLength: 2_000, unit: fc.constantFrom('a', ' ', '\n', '.', '😀', '。', 'é') }),
        (text) => {
          const gist = gistOf(text);
          const flat = text.trim().replace(/\s+/g, ' ');
          const [start = '', end = ''] = gist.split(/ \[\.\.\. \d+ characters \.\.\.\] /);
          expect(flat.startsWith(start.replace(/\s+/g, ' '))).toBe(true);
          expect(flat.endsWith(end.replace(/\s+/g, ' ').trimStart())).toBe(true);
          expect(gist.length).toBeLessThan(500);
          expect(gist).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
        },
      ),
    );
  });
});
