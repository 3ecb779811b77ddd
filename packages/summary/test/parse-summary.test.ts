import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handoffTemplate, parseSummary, summaryBudget } from '../src/index.ts';
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
  ])('does not read "%s" as one', (line) => {
    expect(parse(line).missing).toContain('Goal');
  });

  it('does not let a fence that nobody closed hide the rest', () => {
    expect(parse('## Goal\n```ts\nconst a = 1;\n## Blocked\nNo.').sections[6]).toBe('No.');
  });

  it('knows & from and, joins repeated headings, and keeps foreign headings as text', () => {
    const parsed = parse(
      'Hello.\n## Constraints and Preferences\n- a\n### Notes\nb\n## Goal\nc\n## Constraints & Preferences\n- d',
    );
    expect(parsed.preface).toBe('Hello.');
    expect(parsed.sections[2]).toBe('- a\n### Notes\nb\n- d');
    expect(parsed.repeated).toEqual(['Constraints & Preferences']);
  });

  it('reads back what was written, for any texts without headings of their own', () => {
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

  it('never throws, and finds each heading either there or missing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('## Goal', '```', '````', '~~~', '## Blocked', 'x', '', '```js', '**Goal**')),
        (lines) => {
          const parsed = parse(lines.join('\n'));
          expect(parsed.sections).toHaveLength(headings.length);
          for (const heading of parsed.missing) expect(parsed.sections[headings.indexOf(heading)]).toBe('');
        },
      ),
    );
  });
});

describe('summaryBudget', () => {
  it.each([
    [
      'a fifth of what is summarized',
      { sourceTokens: 40_000, contextLength: 200_000, thresholdTokens: 100_000 },
      8_000,
    ],
    ['never more than 12,000', { sourceTokens: 500_000, contextLength: 1_000_000, thresholdTokens: 500_000 }, 12_000],
    [
      'never more than 5 % of the window',
      { sourceTokens: 90_000, contextLength: 128_000, thresholdTokens: 64_000 },
      6_400,
    ],
    [
      'at least 2,000, though 5 % of the window is less',
      { sourceTokens: 20_000, contextLength: 32_000, thresholdTokens: 16_000 },
      2_000,
    ],
    [
      'never over a quarter of the threshold',
      { sourceTokens: 9_000, contextLength: 8_000, thresholdTokens: 4_000 },
      1_000,
    ],
    [
      'never over half of what it replaces',
      { sourceTokens: 1_800, contextLength: 200_000, thresholdTokens: 100_000 },
      900,
    ],
    ['the same without a known window', { sourceTokens: 100_000, contextLength: 0, thresholdTokens: 0 }, 12_000],
  ])('is %s', (_, input, tokens) => {
    expect(summaryBudget(input)).toBe(tokens);
  });
});
