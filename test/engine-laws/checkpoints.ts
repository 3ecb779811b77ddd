import { apply, type ContextEngine, compose, type Edit, type EngineHost, type Message } from '@palimpsest/core';
import { arbitraryTranscript, chat, testHost, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const bytes = (value: unknown): string => JSON.stringify(value);

/** Compacts a growing history five times, as a session does. The result is one plan over the caller's messages. */
async function fiveCompactions(
  engine: ContextEngine,
  history: Message[],
  growth: readonly (readonly Message[])[],
): Promise<number> {
  await engine.updateModel({ id: 'm', contextLength: 6_000 });
  const checkpoints: Edit[][] = [];
  let done = 0;
  for (const more of growth) {
    history = [...history, ...more];
    const plan = checkpoints.at(-1) ?? [];
    const view = apply(history, plan).messages as readonly Message[];
    const result = await engine.compress(view, { force: true });
    const next = compose(history, plan, result.edits);
    // Live, composed, and composed after a round trip through JSON: the same bytes.
    expect(bytes(apply(history, next).messages)).toBe(bytes(result.messages));
    expect(bytes(apply(history, JSON.parse(bytes(next)) as Edit[]).messages)).toBe(bytes(result.messages));
    if (result.outcome === 'unchanged') continue;
    done++;
    checkpoints.push(next);
    // Undo drops the newest plan. The result is the one from before, with the messages that came since.
    expect(bytes(apply(history, checkpoints.at(-2) ?? []).messages)).toBe(bytes(view));
    const later = [...history, user('And then?')];
    expect(bytes(apply(later, next).messages)).toBe(bytes([...result.messages, later.at(-1)]));
    // One plan over the original accounts for each of the caller's messages once.
    expect(apply(history, next).provenance.source).toHaveLength(history.length);
  }
  return done;
}

/** Checkpoints of one engine. @param make an engine for transcripts of a few thousand tokens */
export function checkpointLaws(makeEngine: (host: EngineHost) => ContextEngine): void {
  describe('a chain of compactions over a growing history', () => {
    it('stays one plan for the original, and undo and replay give the same bytes', async () => {
      const growth = Array.from({ length: 5 }, () => chat(14, 1_500).slice(1));
      expect(await fiveCompactions(makeEngine(testHost()), chat(2), growth)).toBe(5);
    });

    it('also for generated transcripts of agents', async () => {
      const runs = process.env.PALIMPSEST_DEEP ? 2_000 : 25;
      const grown = fc.array(arbitraryTranscript({ maxLength: 40 }), { minLength: 5, maxLength: 5 });
      let done = 0;
      await fc.assert(
        fc.asyncProperty(arbitraryTranscript({ maxLength: 40 }), grown, async (history, growth) => {
          done += await fiveCompactions(makeEngine(testHost()), history, growth);
        }),
        { numRuns: runs },
      );
      expect(done).toBeGreaterThan(runs);
    });
  });
}
