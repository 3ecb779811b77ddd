import { count } from '@palimpsest/command-line/count';
import type { Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { measurePrompt } from '../measuring/measure-prompt.ts';
import type { EngineRow } from '../measuring/run-engine.ts';
import type { PromptAt } from './prompt-at.ts';
import type { EngineReplay } from './replay.ts';

/** The figures of one prompt of a replay, in the form in which a single run of an engine is reported. */
export function promptRow(
  engine: string,
  sample: Sample,
  figures: EngineReplay,
  prompt: PromptAt,
  windowTokens: number,
): EngineRow {
  const { recorded, messages, provenance } = prompt;
  const compactions = figures.compactions.slice(0, prompt.compactions);
  const last = compactions.at(-1);
  const thresholdTokens = figures.thresholdTokens ?? windowTokens;
  const promptTokens = Math.round(Transcript.of(recorded, sample.tokens).totalTokens + sample.overheadTokens);
  return {
    engine,
    outcome: last?.outcome ?? 'unchanged',
    reason: last
      ? `compacted before request ${count(last.turn + 1)}`
      : `the prompt has ${count(promptTokens)} tokens, and the threshold is ${count(thresholdTokens)}`,
    thresholdTokens,
    reachedThreshold: last !== undefined || promptTokens >= thresholdTokens,
    ...measurePrompt(
      { ...sample, messages: recorded, promptTokens },
      messages as readonly Message[],
      provenance,
      windowTokens,
    ),
    phaseThatWasEnough: last?.phase ?? null,
    modelCalls: sum(compactions.map(({ modelCalls }) => modelCalls)),
    milliseconds: Math.round(sum(compactions.map(({ durationMs }) => durationMs)) * 10) / 10,
    warnings: last?.warnings ?? [],
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
