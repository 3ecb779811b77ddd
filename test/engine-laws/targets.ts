import type { ContextEngine, EngineHost, Message } from '@palimpsest/core';
import { Transcript, writeHandoff } from '@palimpsest/core/authoring';
import { assistant, call, exchange, promptTokens, quarterCounter, testHost, user } from '@palimpsest/testkit';
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

/** Work of an agent: mostly tool output, each line of it different. */
function workOf(turns: readonly Turn[]): Message[] {
  return turns.flatMap(({ hasRequest, replyWords, results }, at) => [
    ...(hasRequest || at === 0 ? [user(`Please look at part ${at} of the range parser.`)] : []),
    ...results.flatMap((lines, index) =>
      exchange([
        call(`c${at}-${index}`, 'terminal', { command: `grep -n range_${at} src/part${index}.ts` }),
        Array.from({ length: lines }, (_, line) => `src/part${index}.ts:${line}: value_${at}_${line * 7} = range`).join('\n'),
      ]),
    ),
    assistant(`Part ${at} is done. ${'It works. '.repeat(replyWords)}`),
  ]);
}

/** Tokens that the smallest handoff may have besides its frame: requests, headings, counts. */
const smallHandoff = 400;
/** The share of a target that may be left unused, and tokens that may be left in any case: lines are kept whole. */
const unusedShare = 0.04;
const unusedTokens = 60;

/** A target that can be met is met, and hardly any of it is left unused. No model is used. */
export function targetLaws(makeEngine: (host: EngineHost) => ContextEngine): void {
  describe('a target', () => {
    it('is met if it can be met, and used', async () => {
      let used = 0;
      const given = fc.tuple(fc.array(turn, { minLength: 6, maxLength: 40 }), fc.integer({ min: 5, max: 95 }));
      await fc.assert(
        fc.asyncProperty(given, async ([turns, percent]) => {
          const messages = workOf(turns);
          const total = promptTokens(messages);
          const targetTokens = Math.floor((total * percent) / 100);
          const least = Transcript.of(messages, quarterCounter).fixedTokens + quarterCounter.countText(writeHandoff(''));
          fc.pre(targetTokens > least + smallHandoff);
          const engine = makeEngine(testHost({ summarizer: null }));
          await engine.updateModel({ id: 'm', contextLength: total * 2 });
          const { messages: output, report } = await engine.compress(messages, { targetTokens });
          const tokens = promptTokens(output);
          expect(report.overTargetTokens).toBe(0);
          expect(tokens).toBeLessThanOrEqual(targetTokens);
          if(process.env.SHOW) console.log('UNUSED', targetTokens, percent, targetTokens - tokens, ((targetTokens-tokens)/targetTokens*100).toFixed(1), report.phases.map(p=>p.name).join());
          expect(tokens).toBeGreaterThanOrEqual(targetTokens * (1 - unusedShare) - unusedTokens);
          used++;
        }),
        { numRuns: 40 },
      );
      expect(used).toBeGreaterThan(20);
    }, 60_000);
  });
}
