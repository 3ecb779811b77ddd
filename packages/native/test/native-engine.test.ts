import { compressor } from '@palimpsest/compressor';
import { createEngineHost, createRegistry } from '@palimpsest/registry';
import { createScriptedSummarizer, writeShortSummary } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { nativeEngine } from '../src/index.ts';

it('is created by the name "native", and never asks a summarizer', async () => {
  const summarizer = createScriptedSummarizer(writeShortSummary);
  const registry = createRegistry({ plugins: [nativeEngine(compressor)] });
  const engine = await registry.create({ engine: 'native' }, createEngineHost({ summarizer }));
  await engine.updateModel({ id: 'm', contextLength: 8_000 });
  const messages = Array.from({ length: 80 }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Message ${at}: ${'something was said. '.repeat(20)}`,
  }));
  const { outcome } = await engine.compress([...messages, { role: 'user', content: 'And now?' }]);
  expect(outcome).toBe('compacted');
  expect(summarizer.calls).toEqual([]);
});
