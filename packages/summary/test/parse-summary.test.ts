import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handoffTemplate, parseSummary } from '../src/index.ts';
import { formatSummary } from '../src/template/parse-summary.ts';

const headings = handoffTemplate.sections.map(({ heading }) => heading);
const parse = (text: string) => parseSummary(text, handoffTemplate);

describe('parseSummary', () => {
  it.each(['## Goal', '# goal', '#### 2. Goal:', '**Goal**', '**GOAL:**', '## **Goal**', '__Goal__'])(
    'reads "%s" as a heading',
    (line) => {
      expect(parse(`${line}\nTo win.`).sections[1]).toBe('To win.');
    },
  );

  it.each([
    '## Goalkeeper',
    'Goal',
    'The ## Goal',
    '    ## Goal',
    '- ## Goal',
    '```\n## Goal\n```',
    '~~~md\n## Goal\n~~~',
  ])('does not read "%s" as a heading', (line) => {
    expect(parse(line).missing).toContain('Goal');
  });

  it('is not misled by an unclosed fence', () => {
    expect(parse('## Goal\n```ts\nconst a = 1;\n## Dead Ends\nNo.').sections[6]).toBe('No.');
  });

  it('treats & as and, joins repeated headings, and keeps unknown headings as text', () => {
    const parsed = parse(
      'Hello.\n## Constraints and Preferences\n- a\n### Notes\nb\n## Goal\nc\n## Constraints & Preferences\n- d',
    );
    expect(parsed.preface).toBe('Hello.');
    expect(parsed.sections[2]).toBe('- a\n### Notes\nb\n- d');
    expect(parsed.repeated).toEqual(['Constraints & Preferences']);
  });

  it('reads back what was written, for any texts without headings', () => {
    const line = fc.constantFrom(
      '- an item',
      '1. a step',
      'plain words',
      '   indented',
      '```\n## Goal\n```',
      '# Other',
      '\u65E5\u672C\u8A9E',
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 5 }), {
          minLength: headings.length,
          maxLength: headings.length,
        }),
        (sections) => {
          const texts = sections.map((lines) => lines.join('\n'));
          const parsed = parse(formatSummary(texts, handoffTemplate));
          expect(parsed.sections).toEqual(texts.map((text) => text.trimEnd()));
          expect(parsed).toMatchObject({ missing: [], repeated: [], preface: '' });
        },
      ),
    );
  });

  it('never throws, and each heading is either found or missing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('## Goal', '```', '````', '~~~', '## Dead Ends', 'x', '', '```js', '**Goal**')),
        (lines) => {
          const parsed = parse(lines.join('\n'));
          expect(parsed.sections).toHaveLength(headings.length);
          for (const heading of parsed.missing) expect(parsed.sections[headings.indexOf(heading)]).toBe('');
        },
      ),
    );
  });
});
