import { readFileSync } from 'node:fs';
import type { EngineHost, Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { measureSample, type Sample } from '@palimpsest/eval/inputs/sample';
import { createRegistry } from '@palimpsest/registry';
import { describe, expect, it } from 'vitest';
import { promptAt } from '../../src/comparison/replay/prompt-at.ts';
import { promptRow } from '../../src/comparison/replay/prompt-row.ts';
import type { ReplayRun } from '../../src/comparison/replay/replay.ts';
import { replayEngine } from '../../src/comparison/replay/replay-engine.ts';
import { session } from './session.ts';

const recorded = JSON.parse(
  readFileSync(new URL('../../../../apps/compare/samples/esm-migration.json', import.meta.url), 'utf8'),
) as { readonly messages: readonly Message[] };

function sampleOf(messages: readonly Message[]): Sample {
  return measureSample({
    id: 'one',
    file: 'one.json',
    line: 1,
    layout: 'document',
    format: 'messages',
    messages,
    tools: [],
    encode: (replaced) => replaced,
  });
}

const registry = createRegistry({ fallback: false });

function run(sample: Sample, name: string, windowTokens: number): Promise<ReplayRun> {
  const engines = {
    names: [name],
    start: (engine: string, host: EngineHost) => registry.create({ engine, fallback: false }, host),
  };
  return replayEngine(engines, name, sample, { windowTokens });
}

describe.each(['compressor', 'prune-compact'])('a replay with %s', (name) => {
  it.each([
    ['a written session', session(300), 32_000],
    ['a recorded session', recorded.messages, 64_000],
  ])('knows the prompt of every request of %s', async (_, messages, windowTokens) => {
    const sample = sampleOf(messages);
    const replayed = await run(sample, name, windowTokens);
    const { figures } = replayed;
    expect(figures.compactions.length).toBeGreaterThan(1);
    for (const [turn, sent] of figures.sent.entries()) {
      const prompt = promptAt(messages, replayed, turn);
      expect(Transcript.of(prompt.messages as readonly Message[], sample.tokens).totalTokens).toBeCloseTo(sent, 3);
      expect(prompt.provenance.source).toHaveLength(figures.answeredBy[turn]!);
    }
    const last = promptAt(messages, replayed, figures.sent.length - 1);
    const row = promptRow(name, sample, figures, last, windowTokens);
    expect(row).toMatchObject({ outcome: 'compacted', fitsWindow: true, taskKept: true, wireViolations: 0 });
    expect(row.tokensAfter).toBe(Math.round(figures.sent.at(-1)!));
  });
});

it('replays a request for messages that were never answered', async () => {
  const question: Message = { role: 'user', content: 'What is in src/?' };
  const { figures } = await run(sampleOf([question]), 'compressor', 32_000);
  expect(figures.answeredBy).toEqual([1]);
  expect(figures.sent[0]).toBeGreaterThan(0);
});
