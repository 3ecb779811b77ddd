import type { CompactionRecord } from '@palimpsest/session';
import { dollars } from '../printing/dollars.ts';

/** Why a session compacted, in words for a user. */
const words: Readonly<Record<CompactionRecord['trigger'], string>> = {
  threshold: "at the engine's threshold",
  window: 'it did not fit the window',
  overflow: 'the provider found it too long',
  media: 'the provider found it too large',
  results: 'tool results cut to fit the window',
  arrival: 'large tool results shortened',
  manual: 'on request',
  agent: 'asked for by the agent',
  hygiene: 'near the end of the window',
  idle: 'after a pause',
};

/** Says why a session compacted, whether a model wrote the summary, and what that cost. */
export function compactionWords({ trigger, modelCalls, dollars: spent }: CompactionRecord): string {
  if (modelCalls === 0) return words[trigger];
  const price = spent?.summaries ? `, ${dollars(spent.summaries)}` : '';
  return `${words[trigger]}, summary by a model${price}`;
}
