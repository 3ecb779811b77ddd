import type { CompressOptions, EngineHost } from '@palimpsest/core';

/** True if rules write the summary: the host has no model for it, or the caller allows no model call. */
export function writesByRules({ summarizer }: EngineHost, { effort }: Pick<CompressOptions, 'effort'>): boolean {
  return (summarizer?.offline ?? summarizer === undefined) || effort === 'free';
}
