import { measureStoredState } from '../fleet/stored-state.ts';
import type { BenchOptions, Measured, Section } from '../section.ts';
import { atMost, inUnit } from '../target.ts';

/** Most kilobytes that a session of 4,000 messages stores. */
const maxStored = 60;
const kB = inUnit(0, 'kB');

/** Measures what each of many sessions needs. */
export const fleet: Section = {
  name: 'fleet',
  title: 'Many sessions: what each of them stores',
  isUntimed: true,
  async measure({ quick }: BenchOptions): Promise<Measured> {
    const state = quick ? await measureStoredState(800, 40_000) : await measureStoredState(4_000, 200_000);
    const { compactions, json, kept, messages, requests, stored } = state;
    return {
      report: [
        `The state of a generated conversation in the store of its session, in a window of ${quick ? '40,000' : '200,000'} tokens. Rules write the summaries. A model's page is added once for each compaction that can be undone.`,
        {
          head: ['messages', 'requests', 'compactions', 'can be undone', 'stored', 'as JSON'],
          texts: 0,
          rows: [[...[messages, requests, compactions, kept].map(String), kB(stored / 1_000), kB(json / 1_000)]],
        },
      ],
      figures: state,
      targets: [atMost('fleet', `stored state of ${messages} messages`, maxStored, stored / 1_000, kB)],
    };
  },
};
