import type { ContextEngine, EngineHost, Message } from '@palimpsest/core';
import { Transcript, writeHandoff } from '@palimpsest/core/authoring';
import { assistant, call, callsWithResults, promptTokens, quarterCounter, testHost, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

interface Turn {
  readonly hasRequest: boolean;
  readonly replyWords: number;
  /** Lines of each tool result of the turn. */
  readonly results: readonly number[];
}

const turn: fc.Arbitrary<Turn> = fc.record({
  hasRequest: fc.boolean(),
  replyWords: fc.integer({ min: 1, max: 60 }),
  results: fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 60, max: 400 })), {
    minLength: 1,
    maxLength: 5,
  }),
});

const nouns = ['cursor', 'range', 'token', 'anchor', 'span', 'offset', 'marker', 'column', 'margin', 'border'];
const verbs = ['parse', 'merge', 'split', 'trim', 'shift', 'clamp', 'align', 'count', 'open', 'close'];

/** A line of code that hardly any other number gives. */
function lineOf(number: number): string {
  const hash = Math.imul(number + 1, 0x9e3779b1) >>> 0;
  const [noun, verb, other] = [nouns[hash % 10]!, verbs[(hash >>> 8) % 10]!, nouns[(hash >>> 16) % 10]!];
  return `const ${noun}_${hash.toString(36)} = ${verb}(${other}, ${(hash >>> 4) % 997}, '${verb}_${other}');`;
}

/** Work of an agent: mostly tool output, each line of it different. */
function workOf(turns: readonly Turn[]): Message[] {
  return turns.flatMap(({ hasRequest, replyWords, results }, at) => [
    ...(hasRequest || at === 0 ? [user(`Please look at part ${at} of the range parser.`)] : []),
    ...results.flatMap((lines, index) =>
      callsWithResults([
        call(`c${at}-${index}`, 'terminal', { command: `grep -n range_${at} src/part${index}.ts` }),
        Array.from({ length: lines }, (_, line) => lineOf(at * 1_000_003 + index * 10_007 + line)).join('\n'),
      ]),
    ),
    assistant(`Part ${at} is done. ${'It works. '.repeat(replyWords)}`),
  ]);
}

/** Tokens that the smallest handoff may have besides its frame: requests, headings, counts. */
const smallHandoff = 400;
/** Tokens of parts do not add up exactly to the tokens of the whole. A share of the target. */
const countingError = 0.003;
/** The share of a target that a single pass may leave unused, and that all of them may leave unused on average. */
const mostUnused = 0.15;
const averageUnused = 0.05;

/** A target that can be met is met, and hardly any of it is left unused. No model is used. */
export function targetLaws(makeEngine: (host: EngineHost) => ContextEngine): void {
  describe('a target', () => {
    it('is met if it can be met, and used', async () => {
      const unused: number[] = [];
      const given = fc.tuple(fc.array(turn, { minLength: 6, maxLength: 40 }), fc.integer({ min: 15, max: 95 }));
      await fc.assert(
        fc.asyncProperty(given, async ([turns, percent]) => {
          const messages = workOf(turns);
          const total = promptTokens(messages);
          const targetTokens = Math.floor((total * percent) / 100);
          const least =
            Transcript.of(messages, quarterCounter).fixedTokens + quarterCounter.countText(writeHandoff(''));
          fc.pre(targetTokens > least + smallHandoff);
          const engine = makeEngine(testHost({ summarizer: null }));
          await engine.updateModel({ id: 'm', contextLength: total * 2 });
          const { messages: output } = await engine.compress(messages, { targetTokens });
          const tokens = promptTokens(output);
          expect(tokens - targetTokens).toBeLessThanOrEqual(targetTokens * countingError);
          unused.push(1 - tokens / targetTokens);
          expect(unused.at(-1)).toBeLessThan(mostUnused);
        }),
        { numRuns: 60 },
      );
      expect(unused.length).toBeGreaterThan(30);
      expect(unused.reduce((sum, share) => sum + share, 0) / unused.length).toBeLessThan(averageUnused);
    });
  });
}
