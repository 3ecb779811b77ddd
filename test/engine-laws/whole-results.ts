import { type ContextEngine, type EngineHost, isToolResult, type Message, readHandoff } from '@palimpsest/core';
import {
  assistant,
  call,
  callsWithResults,
  createScriptedSummarizer,
  promptTokens,
  quarterCounter,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';

const path = '/work/src/range.ts';
/** A file of about 300 tokens. */
const file = Array.from(
  { length: 30 },
  (_, line) => `export const bound${line} = limit(${line * 7}, 'b${line}');`,
).join('\n');

/** A long talk, and then work that reads the same file twice. */
const talkAndWork: readonly Message[] = [
  ...Array.from({ length: 60 }, (_, at) => [
    user(`Question ${at}: why is bound ${at} ${'so '.repeat(60)}large?`),
    assistant(`Bound ${at} comes from the layout${', which is wide'.repeat(20)}.`),
  ]).flat(),
  user('Please correct the bounds.'),
  ...callsWithResults([call('read1', 'Read', { file_path: path }), file]),
  assistant('The bounds are wrong from line 20 on.'),
  ...callsWithResults([call('read2', 'Read', { file_path: path }), file]),
  assistant('They are all listed now.'),
  user('Go on with the next file.'),
];

/** Share of a target that may stay free: tokens of parts do not add up exactly. */
const countingError = 0.01;

const tokensOf = (message: Message): number => quarterCounter.countMessage(message);

/** Results after a handoff are shortened only as far as the target needs it, now that the size of the handoff is known. */
export function wholeResultLaws(makeEngine: (host: EngineHost) => ContextEngine): void {
  describe('results after a handoff', () => {
    it('are shortened only if they would not fit next to what a model wrote', async () => {
      const engine = makeEngine(testHost({ summarizer: createScriptedSummarizer(writeShortSummary) }));
      const total = promptTokens(talkAndWork);
      await engine.updateModel({ id: 'm', contextLength: total * 2 });
      const request = { targetTokens: Math.round(total / 2) };
      const { messages, report, provenance } = await engine.compress(talkAndWork, request);
      expect(messages.some((message) => readHandoff(message as Message))).toBe(true);
      expect(report.tokensAfter).toBeLessThanOrEqual(request.targetTokens);
      const spare = request.targetTokens * (1 - countingError) - report.tokensAfter;
      const rewritten = provenance.output.flatMap((origin, at) =>
        origin.kind === 'rewritten' ? [{ ...origin, at }] : [],
      );
      const couldBeWhole = rewritten.filter(
        ({ from, at }) => tokensOf(talkAndWork[from]!) - tokensOf(messages[at] as Message) <= spare,
      );
      expect(couldBeWhole).toEqual([]);
      expect(messages.filter((message) => isToolResult(message as Message)).at(-1)!.content).toBe(file);
      const [prune] = report.phases.filter(({ name }) => name === 'prune');
      expect(prune!.messages).toBe(rewritten.length);
      const reclaimed = report.phases.reduce((sum, { reclaimedTokens }) => sum + reclaimedTokens, 0);
      expect(reclaimed).toBe(report.tokensBefore - report.tokensAfter);
      expect((await engine.compress(messages, request)).outcome).toBe('unchanged');
    });
  });
}
