import type { CompressRequest, EngineHost } from '@palimpsest/core';

/** True if rules write the summary: the host has no model for it, or the request allows no model call. */
export function writesByRules({ summarizer }: EngineHost, { effort }: Pick<CompressRequest, 'effort'>): boolean {
  return (summarizer?.offline ?? summarizer === undefined) || effort === 'free';
}
