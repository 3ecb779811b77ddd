import { type CompressOptions, type ContextEngine, type Message, type Origin, readHandoff } from '@palimpsest/core';
import { digestHandoff } from '@palimpsest/core/authoring';
import { chat, testHost } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compressorOn } from '../make-session.ts';

const deep = process.env.PALIMPSEST_DEEP !== undefined;

/** Compacts growing beginnings of a history, each with the whole beginning as its source. */
async function inSteps(
  engine: ContextEngine,
  history: readonly Message[],
  cuts: readonly number[],
  asked: CompressOptions,
) {
  let messages: readonly Message[] = [];
  let origins: readonly Origin[] = [];
  let last = 0;
  for (const cut of [...cuts, history.length]) {
    const added = history.slice(last, cut);
    const projection: readonly Message[] = [...messages, ...added];
    const all = [...origins, ...added.map((_, at): Origin => ({ kind: 'original', from: last + at }))];
    const source = { messages: history.slice(0, cut), origins: all };
    const result = await engine.compress(projection, { ...asked, source });
    messages = result.messages as readonly Message[];
    const { handoffDigest } = engine.snapshot().state.planner as { readonly handoffDigest: string | null };
    // The engine knows the handoff that is in the messages.
    const handoffs = messages.flatMap((message) => readHandoff(message) ?? []);
    expect(handoffs.map(({ body }) => digestHandoff(body))).toEqual(handoffDigest ? [handoffDigest] : []);
    // A plan over the projection is relative to it.
    if (result.basis === 'source' || last === 0) origins = result.provenance.output;
    // What a step left is within the target, even with the messages after it.
    else if (result.messages === projection && cut === history.length) return null;
    else if (result.messages === projection) origins = all;
    else return null;
    last = cut;
  }
  return messages;
}

describe('compacting in steps to one target, by rules', () => {
  it('gives what compacting once gives', async () => {
    let compared = 0;
    const property = async (history: Message[], cuts: readonly number[], share: number): Promise<void> => {
      const host = testHost();
      const tokens = history.reduce((sum, message) => sum + host.tokens.countMessage(message), 0);
      const targetTokens = Math.round(tokens * share);
      const create = () => compressorOn(host, undefined);
      const steps = await inSteps(create(), history, cuts, { targetTokens });
      fc.pre(steps !== null);
      const once = await create().compress(history, { targetTokens });
      expect(steps).toEqual(once.messages);
      compared++;
    };
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 39 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        cuts,
        fc.constantFrom(0.15, 0.3, 0.5),
        fc.integer({ min: 200, max: 4_000 }),
        (at, share, size) => {
          const history = chat(40, size);
          return property(
            history,
            at.sort((a, b) => a - b).map((turn) => 1 + turn * 4),
            share,
          );
        },
      ),
      {
        numRuns: deep ? 300 : 15,
        // Between the first and the second cut, a summary would save less than 1 %, so it is dropped.
        examples: [[[15, 16], 0.15, 885]],
      },
    );
    expect(compared).toBeGreaterThan(10);
  });
});
