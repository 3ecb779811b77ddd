import type { Message, Summarizer } from '@palimpsest/core';
import { createEngineHost, createRegistry } from '@palimpsest/registry';
import { describe, expect, it } from 'vitest';
import { countedSteps } from './growth/counted-steps.ts';
import { longInputs } from './growth/long-inputs.ts';

/** Twice the input may cost twice the steps, and a tenth more: an exponent of 1.1 is a factor of 2.14. */
const mostGrowth = 2 ** 1.1;

const small = 240_000;

/** A model that answers nothing usable, so that the prompt is written, and the offline writer after it. */
const model: Summarizer = { id: 'model', summarize: async () => ({ text: '' }) };

async function compress(engine: string, messages: readonly Message[]): Promise<void> {
  const made = await createRegistry().create({ engine, fallback: false }, createEngineHost({ summarizer: model }));
  await made.updateModel({ id: 'm', contextLength: 32_000 });
  await made.compress(messages, { force: true, currentTokens: 40_000 });
}

describe('steps grow in line with the input', () => {
  for (const engine of ['compressor', 'prune-compact'])
    it.each(Object.entries(longInputs))(`${engine}: %s`, async (_name, make) => {
      const steps: number[] = [];
      for (const size of [small, small * 2]) {
        const messages = make(size);
        steps.push(await countedSteps(() => compress(engine, messages)));
      }
      expect(steps[1]! / steps[0]!, steps.join(' -> ')).toBeLessThan(mostGrowth);
    });
});
