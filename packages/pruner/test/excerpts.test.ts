import { agentReader } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';
import { Draft, Transcript } from '@palimpsest/core/authoring';
import { assistant, call, callsWithResults, quarterCounter, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpts, minPrunedTokens, prune, pruneInto, type RankedLine } from '../src/index.ts';

/** A simple ranking: lines that name an error first, then later before earlier ones. */
function ranked(messages: readonly Message[]): (at: number) => RankedLine[] {
  return (at) =>
    contentText(messages[at]!.content)
      .split('\n')
      .map((text, index) => ({
        text,
        tokens: text.length / 4 + 1,
        worth: (text.includes('error') ? 1_000 : 1) * (at + 1) + index / 1_000,
        continues: false,
      }));
}

const listing = (name: string, lines: number): string =>
  Array.from(
    { length: lines },
    (_, line) => `${name} line ${line}${line === 7 ? ' error TS2322' : ''} of the listing`,
  ).join('\n');
const session = (results: readonly string[]): Message[] => [
  user('Go.'),
  ...results.flatMap((output, at) =>
    callsWithResults([call(`c${at}`, 'Read', { file_path: `/src/${at}.ts` }), output]),
  ),
  assistant('Done.'),
];
const land = (messages: readonly Message[], targetTokens: number) =>
  prune(messages, {
    protect: { tokens: 0 },
    keepTurns: 0,
    minimum: 0,
    tokens: quarterCounter,
    strategies: [excerpts({ targetTokens, linesOf: ranked(messages) })],
  });
const size = (messages: readonly Message[]): number =>
  Transcript.of(messages, quarterCounter, { reader: agentReader }).totalTokens;

describe('excerpts', () => {
  const messages = session([listing('a', 60), listing('b', 60), listing('c', 60)]);

  it('keep the most valuable lines, in order, and state how many of all lines they are', () => {
    const { messages: output } = land(messages, size(messages) / 3);
    const text = contentText(output[2]!.content);
    const [head, ...kept] = text.split('\n');
    expect(head).toMatch(/^\[Read\] read \/src\/0\.ts .*; excerpt, (\d+) of 60 lines:$/);
    expect(kept).toContain('a line 7 error TS2322 of the listing');
    expect(kept.filter((line) => line !== '[...]')).toHaveLength(Number(/excerpt, (\d+)/.exec(head!)![1]));
    expect(kept).toContain('[...]');
  });

  it('fill the target without exceeding it', () => {
    for (const share of [0.3, 0.5, 0.7, 0.9]) {
      const after = size(land(messages, size(messages) * share).messages);
      expect(after).toBeLessThanOrEqual(size(messages) * share);
      expect(after).toBeGreaterThan(size(messages) * share * 0.75);
    }
  });

  it('change nothing if everything fits, and are stubs if no line fits', () => {
    expect(land(messages, size(messages)).messages).toBe(messages);
    const { messages: output } = land(messages, 1);
    expect(contentText(output[2]!.content)).toMatch(/^\[Read\] read [^\n]*$/);
    const least = minPrunedTokens(new Draft(Transcript.of(messages, quarterCounter, { reader: agentReader })), {
      protect: { tokens: 0 },
      keepTurns: 0,
    });
    expect(size(output)).toBeCloseTo(
      least.reduce((sum, tokens) => sum + tokens, 0),
      6,
    );
  });

  it('can be shortened again, to fewer lines of the same result or to its stub', () => {
    const once = land(messages, size(messages) * 0.6).messages as Message[];
    expect(land(once, size(messages) * 0.6).messages).toBe(once);
    const twice = land(once, size(messages) * 0.3).messages as Message[];
    expect(contentText(twice[2]!.content)).toMatch(/^\[Read\] [^;\n]*; excerpt, \d+ of 60 lines:\n/);
    expect(contentText(twice[2]!.content).match(/excerpt,/g)).toHaveLength(1);
    const draft = new Draft(Transcript.of(once, quarterCounter, { reader: agentReader }));
    pruneInto(draft, { protect: { tokens: 0 }, keepTurns: 0, minimum: 0 });
    expect(contentText(once[4]!.content)).toContain('excerpt,');
    expect(contentText(draft.current(4)!.content)).not.toContain('excerpt,');
  });

  it('never grow a transcript, whatever the tokens of the lines', () => {
    const line = fc.record({
      text: fc.string({ maxLength: 120 }),
      tokens: fc.double({ min: 0, max: 200, noNaN: true }),
      worth: fc.double({ min: 0, max: 9, noNaN: true }),
      continues: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.double({ min: 0, max: 1.2, noNaN: true }), (lines, share) => {
        const own = session([
          lines
            .map(({ text }) => text)
            .join('\n')
            .padEnd(260, '.'),
          listing('z', 30),
        ]);
        const { messages: output, report } = prune(own, {
          protect: { tokens: 0 },
          keepTurns: 0,
          minimum: 0,
          tokens: quarterCounter,
          strategies: [excerpts({ targetTokens: size(own) * share, linesOf: () => lines })],
        });
        expect(size(output)).toBeLessThanOrEqual(size(own));
        expect(report.reclaimedTokens).toBeCloseTo(size(own) - size(output), 6);
      }),
      { numRuns: 60 },
    );
  });
});
