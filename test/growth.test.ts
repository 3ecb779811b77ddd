import type { Message, Summarizer } from '@palimpsest/core';
import { createRecall } from '@palimpsest/recall';
import { redact } from '@palimpsest/redactor';
import { createEngineHost, createRegistry } from '@palimpsest/registry';
import { describe, expect, it } from 'vitest';
import { countedSteps } from './growth/counted-steps.ts';
import { longInputs } from './growth/long-inputs.ts';

/** How many times as long the longer input is. Twice would be too little: an engine may summarize only the longer one. */
const factor = 4;
/** The limit for that: exponent 1.1. */
const mostGrowth = factor ** 1.1;

const small = 120_000;

/** A model without a usable answer, so that both the prompt and the fallback are written. */
const model: Summarizer = { id: 'model', summarize: async () => ({ text: '' }) };

async function compress(engine: string, messages: readonly Message[]): Promise<void> {
  const made = await createRegistry().create({ engine, fallback: false }, createEngineHost({ summarizer: model }));
  await made.updateModel({ id: 'm', contextLength: 32_000 });
  await made.compress(messages, { force: true, currentTokens: 40_000 });
}

/** Searches a history of which nothing is visible, archives it, and reads its longest text by a pattern. */
async function searchHidden(messages: readonly Message[]): Promise<void> {
  const recall = createRecall({ sessionId: 'one', redact });
  const source = messages.map(() => ({ kind: 'dropped' as const, edit: 0, reasons: [] }));
  recall.update(messages, { provenance: { output: [], source } });
  await recall.callTool('recall', { query: 'error src/index.ts a', limit: 10 });
  const refs = messages.flatMap((_, at) => recall.refsOf(at));
  for (const { ref } of refs.slice(-3)) await recall.callTool('expand', { ref, pattern: 'a*b*c|(a+)+$', context: 20 });
  await recall.archive(messages);
}

describe('the number of steps is linear in the input', () => {
  for (const engine of ['compressor', 'prune-compact'])
    it.each(Object.entries(longInputs))(`${engine}: %s`, async (_name, make) => {
      const steps: number[] = [];
      for (const size of [small, small * factor]) {
        const messages = make(size);
        steps.push(await countedSteps(() => compress(engine, messages)));
      }
      expect(steps[1]! / steps[0]!, steps.join(' -> ')).toBeLessThan(mostGrowth);
    });

  it.each(Object.entries(longInputs))('recall: %s', async (_name, make) => {
    const steps: number[] = [];
    for (const size of [small, small * factor]) {
      const messages = make(size);
      steps.push(await countedSteps(() => searchHidden(messages)));
    }
    expect(steps[1]! / steps[0]!, steps.join(' -> ')).toBeLessThan(mostGrowth);
  });
});
