import { measureLatency, type Way, ways } from '../proxy/measure-latency.ts';
import type { BenchOptions, Measured, Section } from '../section.ts';
import { atMost, inUnit } from '../target.ts';

/** Measures what `palimpsest proxy` adds to the time to the first byte. */
export const proxy: Section = {
  name: 'proxy',
  title: 'Proxy: time to the first byte',
  async measure({ quick }: BenchOptions): Promise<Measured> {
    const conversations = quick ? 8 : 200;
    const small = await measureLatency(1e6, conversations, 4);
    const large = await measureLatency(1e7, conversations, 2);
    const median = (way: Way): number => quantile(small.times[way], 0.5);
    return {
      report: [
        `Wall-clock time from the start of a request until the first byte of its reply, over one connection. The provider answers when it has the whole request. ${conversations} conversations of each size, each request two messages longer than the one before.`,
        {
          head: ['request: way', 'p50, ms', 'p99, ms', 'memory of the proxy'],
          rows: Object.entries({ '1 MB': small, '10 MB': large }).flatMap(([size, { times, memory }]) =>
            ways.map((way, at) => [
              `${size}: ${way}`,
              ...[0.5, 0.99].map((share) => quantile(times[way], share).toFixed(1)),
              at === 0 ? `${(memory / 1e6).toFixed(0)} MB` : '',
            ]),
          ),
        },
      ],
      figures: { conversations, small, large },
      targets: [
        atMost(
          'proxy',
          'added to the first byte, 1 MB, median',
          2,
          median('proxy, known conversation') - median('direct'),
          inUnit(1, 'ms'),
        ),
      ],
    };
  },
};

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
}
