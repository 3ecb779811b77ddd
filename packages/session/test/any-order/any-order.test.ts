import fc from 'fast-check';
import { expect, it } from 'vitest';
import { steps } from './steps.ts';
import { World, type Writer } from './world.ts';

const isDeep = process.env.PALIMPSEST_DEEP !== undefined;

it.each<Writer>(['given', 'own'])(
  'a session keeps its laws whatever happens, in any order, with a %s summarizer',
  { timeout: 1_200_000 },
  async (writer) => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (commands) => {
        const world = new World(writer);
        await fc.asyncModelRun(() => ({ model: { isOpen: false }, real: world }), commands);
        written += world.session.records().filter(({ modelCalls }) => modelCalls > 0).length;
      }),
      { includeErrorInReport: true, numRuns: isDeep ? 3_000 : 12 },
    );
    expect(written).toBeGreaterThan(0);
  },
);
