import type { Usage } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn } from '../record.ts';
import { usageOf } from './usage.ts';
import { wireFormats, wireNamed } from './wires.ts';

/**
 * Reads a provider's usage report, in the format of any supported API, the AI SDK or core. Also accepts a whole
 * answer that contains a usage report.
 * @returns `null` for any other value, and for a report without a prompt size
 */
export function readUsage(value: unknown): Usage | null {
  if (!isRecord(value)) return null;
  const nested = value.usage ?? value.usageMetadata ?? value.totalUsage;
  if (isRecord(nested)) return readUsage(nested);
  const ofWires = wireFormats.map((format) => wireNamed(format).answers.usageOf);
  for (const read of [core, ...ofWires, aiSdk]) {
    const usage = read(value);
    if (usage) return usage;
  }
  return null;
}

function core(usage: Fields): Usage | null {
  return usageOf({
    prompt: usage.promptTokens,
    completion: usage.completionTokens,
    cached: usage.cachedTokens,
    cacheWrite: usage.cacheWriteTokens,
    reasoning: usage.reasoningTokens,
  });
}

function aiSdk(usage: Fields): Usage | null {
  const { inputTokens: input, outputTokens: output } = usage;
  // Language models of the versions 6 and 7 report both as objects.
  if (isRecord(input) && isRecord(output))
    return usageOf({
      prompt: input.total,
      completion: output.total,
      cached: input.cacheRead,
      cacheWrite: input.cacheWrite,
      reasoning: output.reasoning,
    });
  const details = fieldsIn(usage.inputTokenDetails);
  return usageOf({
    prompt: input,
    completion: output,
    cached: details.cacheReadTokens ?? usage.cachedInputTokens,
    cacheWrite: details.cacheWriteTokens,
    reasoning: fieldsIn(usage.outputTokenDetails).reasoningTokens ?? usage.reasoningTokens,
  });
}
