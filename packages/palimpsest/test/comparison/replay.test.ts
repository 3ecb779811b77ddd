import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineHost, Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { fileInput } from '@palimpsest/eval/inputs/find-inputs';
import { readTranscripts } from '@palimpsest/eval/inputs/read-transcripts';
import { measureSample, type Sample } from '@palimpsest/eval/inputs/sample';
import { createRegistry } from '@palimpsest/registry';
import { describe, expect, it } from 'vitest';
import { promptAt } from '../../src/replay/prompt-at.ts';
import { promptRow } from '../../src/replay/prompt-row.ts';
import type { PageTokens } from '../../src/replay/recorded-pages.ts';
import type { ReplayRun } from '../../src/replay/replay.ts';
import { examplePrices, replayCost } from '../../src/replay/replay-cost.ts';
import { replayEngine } from '../../src/replay/replay-engine.ts';
import { chooseWindow } from '../../src/replay/window-choice.ts';
import { session } from './session.ts';

const samples = fileURLToPath(new URL('../../../../apps/compare/samples', import.meta.url));
const recorded = JSON.parse(readFileSync(join(samples, 'esm-migration.json'), 'utf8')) as {
  readonly messages: readonly Message[];
};

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

describe('a sample with the pages of a model', () => {
  const names = readdirSync(samples).filter((name) => name.endsWith('.json'));
  const sampleFile = async (name: string): Promise<Sample> => {
    const { value } = await readTranscripts(fileInput(join(samples, name), name, true)).next();
    return measureSample(value);
  };

  it.each(names)('has all of them for the window that is chosen for %s', async (name) => {
    const sample = await sampleFile(name);
    const windowTokens = chooseWindow(sample.promptTokens).tokens;
    const pages = new Map(sample.found.pages!.map(({ of, text }) => [of, text]));
    expect(pages.size).toBeGreaterThan(0);
    for (const engine of ['compressor', 'prune-compact']) {
      const { figures } = await run(sample, engine, windowTokens);
      for (const { page, modelCalls } of figures.compactions) expect(page !== null).toBe(modelCalls > 0);
    }
    const { figures } = await run(sample, 'compressor', windowTokens);
    expect(figures.compactions.some(({ page }) => page)).toBe(true);
  });

  it('is summarized by rules where a page is missing', async () => {
    const sample = await sampleFile('router-library.json');
    const { pages: _, ...found } = sample.found;
    const windowTokens = 24_000;
    const [mixed, plain] = [
      await run(sample, 'compressor', windowTokens),
      await run(measureSample(found), 'compressor', windowTokens),
    ];
    expect(mixed.figures.compactions.length).toBeGreaterThan(0);
    expect(mixed.figures.sent).toEqual(plain.figures.sent);
    expect(mixed.figures.compactions.every(({ page }) => page === null)).toBe(true);
  });
});

it('adds the cost of a page to that of the prompts', () => {
  const sizes = { sent: [1e6, 5e5], shared: [0, 1e5] };
  const cost = (page: PageTokens | null) => replayCost({ ...sizes, compactions: [{ turn: 1, page }] }, examplePrices);
  expect(cost(null)).toEqual({ uncached: [3, 4.5], cached: [3.75, 5.28] });
  // The prompt before is read again for the page: from the cache, or not.
  const { uncached, cached } = cost({ instruction: 1e5, text: 1e5 });
  expect(uncached[1]! - 4.5).toBeCloseTo(3 + 0.3 + 1.5);
  expect(cached[1]! - 5.28).toBeCloseTo(0.3 + 0.3 + 1.5);
});
