import type { Usage } from '@palimpsest/core';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import type { IsOwn, RawAnswer } from '../wire/answers.ts';
import { tokensOf, usageOf } from '../wire/usage.ts';
import { callIn, callsIn, wordsIn } from './block.ts';

/** Reads an answer of `Converse`. */
export function readBedrock({ output, stopReason, usage }: Fields, isOwn: IsOwn): RawAnswer {
  const { message } = fieldsIn(output);
  const said = recordsIn(fieldsIn(message).content).filter(
    (block) => typeof block.text !== 'string' || block.text.trim() !== '',
  );
  const rest = said.filter((block) => !isOwn(callIn(block)?.name));
  const calls = callsIn(said).filter(({ name }) => isOwn(name));
  return {
    items: said.length === 0 ? [] : [{ role: 'assistant', content: said }],
    visible: rest.length === 0 ? [] : [{ role: 'assistant', content: rest }],
    text: said.map(wordsIn).join(''),
    calls: calls.map(({ toolUseId, name, input }) => ({ id: String(toolUseId), name: String(name), input })),
    hasHostCalls: callsIn(rest).length > 0,
    isComplete: stopReason === 'tool_use' || stopReason === 'end_turn',
    usage,
  };
}

/** Fields of the AI SDK, whose reports have the same names for prompt and answer. */
const foreign: readonly string[] = ['cachedInputTokens', 'inputTokenDetails', 'outputTokenDetails', 'reasoningTokens'];

/** Reads a usage report. It has cached tokens in addition to `inputTokens`, not in them. */
export function bedrockUsage(usage: Fields): Usage | null {
  if (foreign.some((name) => name in usage)) return null;
  const { inputTokens, outputTokens, cacheReadInputTokens: cached, cacheWriteInputTokens: cacheWrite } = usage;
  if (tokensOf(inputTokens) === undefined) return null;
  const prompt = [inputTokens, cached, cacheWrite].reduce<number>((sum, tokens) => sum + (tokensOf(tokens) ?? 0), 0);
  return usageOf({ prompt, completion: outputTokens, cached, cacheWrite });
}

/** See `combineUsage`: the prompt of the last answer, and what the model wrote in all. */
export function combineBedrockUsage(before: unknown, last: unknown): Fields {
  const [earlier, newest] = [fieldsIn(before), fieldsIn(last)];
  const written = tokensOf(earlier.outputTokens) ?? 0;
  const combined: Record<string, unknown> = { ...newest };
  for (const name of ['outputTokens', 'totalTokens'])
    if (tokensOf(newest[name]) !== undefined) combined[name] = (newest[name] as number) + written;
  return Object.keys(newest).length === 0 ? earlier : combined;
}
