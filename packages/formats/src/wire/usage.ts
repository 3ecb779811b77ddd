import type { Usage } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn } from '../record.ts';

/** The figures of a usage report, as they were written. */
interface ReportedUsage {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly cached?: unknown;
  readonly cacheWrite?: unknown;
  readonly reasoning?: unknown;
}

/** @returns `null` without a prompt size */
export function usageOf({ prompt, completion, cached, cacheWrite, reasoning }: ReportedUsage): Usage | null {
  const promptTokens = tokensOf(prompt);
  if (!promptTokens) return null;
  return {
    promptTokens,
    completionTokens: tokensOf(completion) ?? 0,
    cachedTokens: tokensOf(cached),
    cacheWriteTokens: tokensOf(cacheWrite),
    reasoningTokens: tokensOf(reasoning),
  };
}

export function tokensOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Fields with tokens that the model wrote, in all APIs. */
const written = /^(?:completion|output)_tokens(?:_details)?$/;

/**
 * The usage reported to a client for several answers that it sees as one. The prompt is that of the last answer: agents
 * take it for the size of their history, and compact by it. What the model wrote is added up.
 */
export function combineUsage(before: unknown, last: unknown): Fields | undefined {
  if (!isRecord(before)) return isRecord(last) ? last : undefined;
  if (!isRecord(last)) return before;
  const combined: Record<string, unknown> = { ...last };
  for (const [name, value] of Object.entries(before)) if (written.test(name)) combined[name] = sum(value, last[name]);
  if (typeof last.total_tokens === 'number') combined.total_tokens = last.total_tokens + outputTokensOf(before);
  return combined;
}

/** Adds numbers, and those in the fields of objects. */
function sum(one: unknown, other: unknown): unknown {
  if (typeof one === 'number') return typeof other === 'number' ? one + other : one;
  if (!isRecord(one)) return other ?? one;
  const given = fieldsIn(other);
  const sums = Object.entries(one).map(([name, value]) => [name, sum(value, given[name])]);
  return { ...given, ...Object.fromEntries(sums) };
}

function outputTokensOf({ completion_tokens: completion, output_tokens: output = completion }: Fields): number {
  return typeof output === 'number' ? output : 0;
}
