import { type LatencyOptions, type LatencyResult, measureLatency } from '../proxy/measure-latency.ts';
import type { BenchOptions, Measured, Section } from '../section.ts';
import { atMost, inUnit } from '../target.ts';

/** Measures what `palimpsest proxy` adds to the time to the first byte. */
export const proxy: Section = {
  name: 'proxy',
  title: 'Proxy: time to the first byte',
  async measure({ quick }: BenchOptions): Promise<Measured> {
    const conversations = quick ? 8 : 200;
    const settings: readonly LatencyOptions[] = [
      { bytes: 1_000_000, conversations, atOnce: 8, requests: 4 },
      { bytes: 10_000_000, conversations, atOnce: 4, requests: 2 },
    ];
    const rows: Row[] = [];
    for (const setting of settings) rows.push(rowOf(setting, await measureLatency(setting)));
    const [small] = rows as [Row, ...Row[]];
    return {
      report: [
        `Wall-clock time from the start of a request until the first byte of its reply, over one connection. The provider answers when it has the whole request. ${conversations} conversations of each size, each request two messages longer than the one before.`,
        {
          head: ['request: way', 'p50, ms', 'p99, ms', 'memory of the proxy'],
          rows: rows.flatMap((row) =>
            row.ways.map(({ way, p50, p99 }, at) => [
              `${row.megabytes} MB: ${way}`,
              p50.toFixed(1),
              p99.toFixed(1),
              at === 0 ? `${row.memoryMegabytes.toFixed(0)} MB` : '',
            ]),
          ),
        },
      ],
      figures: { conversations, rows },
      targets: [atMost('proxy', 'added to the first byte, 1 MB, median', 2, small.added, inUnit(1, 'ms'))],
    };
  },
};

/** Times in milliseconds, of one size. */
interface Row {
  readonly megabytes: number;
  /** Ways to the provider, with the median and the 99th percentile. */
  readonly ways: readonly { readonly way: string; readonly p50: number; readonly p99: number }[];
  /** Median of a known conversation minus that of direct requests. */
  readonly added: number;
  readonly memoryMegabytes: number;
}

const ways = {
  direct: 'direct',
  passedOn: 'proxy, path that is not read',
  known: 'proxy, known conversation',
  first: 'proxy, first request of a conversation',
} as const;

function rowOf({ bytes }: LatencyOptions, { times, memory }: LatencyResult): Row {
  const names = Object.keys(ways) as (keyof typeof ways)[];
  return {
    megabytes: bytes / 1e6,
    ways: names.map((name) => ({ way: ways[name], p50: quantile(times[name], 0.5), p99: quantile(times[name], 0.99) })),
    added: quantile(times.known, 0.5) - quantile(times.direct, 0.5),
    memoryMegabytes: memory / 1e6,
  };
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;
}
