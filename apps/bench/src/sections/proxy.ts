import { measureLatency, ways } from '../proxy/measure-latency.ts';
import type { BenchOptions, Measured, Section } from '../section.ts';

/** Measures what `palimpsest proxy` adds to the time to the first byte. */
export const proxy: Section = {
  name: 'proxy',
  title: 'Proxy: time to the first byte',
  async measure({ quick }: BenchOptions): Promise<Measured> {
    const conversations = quick ? 8 : 50;
    const times = await measureLatency(1e6, conversations, 4);
    return {
      report: [
        `Wall-clock time from the start of a request of 1 MB until the first byte of its reply, over one connection. The provider answers when it has the whole request. ${conversations} conversations, each request two messages longer than the one before.`,
        {
          head: ['request', 'p50, ms', 'p99, ms'],
          rows: ways.map((way) => [way, ...[0.5, 0.99].map((share) => quantile(times[way], share).toFixed(1))]),
        },
      ],
      figures: { conversations, times },
      targets: [],
    };
  },
};

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
}
