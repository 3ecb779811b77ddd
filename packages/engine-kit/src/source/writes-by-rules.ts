import type { CompressOptions, EngineHost } from '@palimpsest/core';

/** True if the host has a model that can write summaries. */
export function hasModel({ summarizer }: EngineHost): boolean {
  return summarizer !== undefined && !summarizer.offline;
}

/** True if rules write the summary: the host has no model for it, or the caller allows no model call. */
export function writesByRules(host: EngineHost, { effort }: Pick<CompressOptions, 'effort'>): boolean {
  return !hasModel(host) || effort === 'free';
}
