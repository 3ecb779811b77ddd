import { createRegistry } from '@palimpsest/registry';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Evaluation, engineCompactor, evaluate, type MeasureName } from '../../src/index.ts';
import { bagOfIdentifiers, listOfFileNames, newestHalf, quotedLines } from '../gaming-compactors.ts';
import { samples } from '../samples.ts';

const registry = createRegistry({ fallback: false });
let evaluation: Evaluation;

beforeAll(async () => {
  evaluation = await evaluate({
    transcripts: samples('router-library', 'shop-outage-german', 'palimpsest-first-morning'),
    compactors: {
      bagOfIdentifiers,
      listOfFileNames,
      newestHalf,
      quotedLines,
      honest: engineCompactor((host) => registry.create({ engine: 'compressor', fallback: false }, host)),
    },
    budgets: [0.2, 0.5],
    cuts: [0.7],
    chainSteps: 0,
    window: null,
    resamples: 20,
  });
});

/** A value in percent. */
function score(compactor: string, budget: number, measure: MeasureName): number {
  const result = evaluation.results.find((one) => one.compactor === compactor && one.budget === budget);
  return (result!.scores[measure]?.value ?? Number.NaN) * 100;
}

describe('a compactor that games a measure is exposed by others:', () => {
  it('a bag of identifiers has every fact, and nothing that can be read', () => {
    expect(score('bagOfIdentifiers', 0.2, 'facts')).toBeGreaterThan(score('honest', 0.2, 'facts'));
    expect(score('bagOfIdentifiers', 0.2, 'openai')).toBe(100);
    expect(score('bagOfIdentifiers', 0.2, 'verbatim')).toBeLessThan(2);
    expect(score('bagOfIdentifiers', 0.2, 'continuation')).toBeLessThan(10);
    for (const measure of ['task', 'canaryRules'] as const)
      expect(score('bagOfIdentifiers', 0.2, measure), measure).toBe(0);
  });

  it('the newest half has what was used next, and forgets the beginning', () => {
    expect(score('newestHalf', 0.5, 'facts')).toBeGreaterThan(score('honest', 0.5, 'facts') - 2);
    expect(score('newestHalf', 0.5, 'verdicts')).toBe(100);
    expect(score('newestHalf', 0.5, 'userLog')).toBeLessThan(50);
    expect(score('newestHalf', 0.5, 'canaryRules')).toBeLessThan(20);
    expect(score('newestHalf', 0.5, 'canaryFacts')).toBe(0);
    expect(score('newestHalf', 0.5, 'strict')).toBeLessThan(50);
  });

  it('a list of file names is valid and small, and does not say what happened to them', () => {
    expect(score('listOfFileNames', 0.2, 'used')).toBeLessThan(20);
    for (const measure of ['openai', 'anthropic', 'strict'] as const)
      expect(score('listOfFileNames', 0.2, measure), measure).toBe(100);
    expect(score('listOfFileNames', 0.2, 'files')).toBeLessThan(10);
    for (const measure of ['facts', 'verbatim', 'continuation', 'task'] as const)
      expect(score('listOfFileNames', 0.2, measure), measure).toBeLessThan(10);
  });

  it('quoted lines keep what people said, and no results, no facts about them and fewer rules', () => {
    expect(score('quotedLines', 0.5, 'task')).toBe(100);
    expect(score('quotedLines', 0.5, 'userLog')).toBeGreaterThan(80);
    expect(score('quotedLines', 0.5, 'verdicts')).toBe(0);
    for (const measure of ['facts', 'verbatim', 'canaryRules', 'canaryFacts'] as const)
      expect(score('quotedLines', 0.5, measure), measure).toBeLessThan(score('honest', 0.5, measure) * 0.7);
  });

  it('and an honest one does well on all of them', () => {
    for (const measure of ['facts', 'continuation', 'openai', 'strict', 'task', 'canaryRules', 'recall'] as const)
      expect(score('honest', 0.2, measure), measure).toBeGreaterThan(70);
  });
});
