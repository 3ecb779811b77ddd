import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Spread, spreadOf } from '../spread.ts';
import { calmest, type Round } from '../timed-round.ts';
import { exponentOf } from './exponent.ts';

/** What a process is to measure. */
export interface Order {
  readonly subjects: readonly string[];
  /** Lengths of transcripts, in messages. */
  readonly sizes: readonly number[];
  /** Timed rounds over all sizes, behind one that warms up. */
  readonly rounds: number;
}

/** One measurement in that process. Heap in bytes. */
export interface Run extends Round {
  readonly subject: string;
  readonly size: number;
  /** True in the round that warms up, whose collections are watched instead of its time. */
  readonly isWatched: boolean;
  readonly heapBefore: number;
  readonly heapAfter: number;
}

/** One size: milliseconds of processor time over the rounds. */
interface GrowthPoint extends Spread {
  readonly size: number;
  /** Bytes of heap at the peak, beyond what was there before: garbage not yet collected is part of it. */
  readonly peakHeap: number;
}

export interface Growth {
  readonly subject: string;
  readonly points: readonly GrowthPoint[];
  /** Of time and of peak heap by number of messages: 1 is linear. */
  readonly exponent: number;
  readonly heapExponent: number;
}

/** Measures in a process of its own, one subject behind the other. */
export async function measureGrowth(order: Order): Promise<Growth[]> {
  const program = fileURLToPath(new URL('growth-process.ts', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', ...process.execArgv, program, JSON.stringify(order)],
    { maxBuffer: 1 << 28 },
  );
  const runs = JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as Run[];
  const peaks = peaksOf(stdout);
  const watched = runs.filter(({ isWatched }) => isWatched);
  return order.subjects.map((subject) => {
    const points = order.sizes.map((size) => {
      const isOwn = (run: Run): boolean => run.subject === subject && run.size === size;
      const at = watched.findIndex(isOwn);
      const times = calmest(runs.filter((run) => isOwn(run) && !run.isWatched));
      return {
        size,
        ...spreadOf(times),
        peakHeap: Math.max(peaks[at]!, watched[at]!.heapAfter) - watched[at]!.heapBefore,
      };
    });
    return {
      subject,
      points,
      exponent: exponentOf(points.map(({ size, median }) => [size, median])),
      heapExponent: exponentOf(points.map(({ size, peakHeap }) => [size, peakHeap])),
    };
  });
}

/**
 * The most heap in use before any collection, measurement by measurement, in bytes, from what `--trace-gc` prints. A
 * collection on demand begins a measurement.
 */
export function peaksOf(trace: string): number[] {
  const peaks: number[] = [];
  for (const line of trace.split('\n')) {
    const used = / ms: [^\d]*([\d.]+) \([\d.]+\) -> /.exec(line)?.[1];
    if (used === undefined) continue;
    if (/\btesting\b/.test(line)) peaks.push(0);
    peaks[peaks.length - 1] = Math.max(peaks.at(-1) ?? 0, Number(used) * (1 << 20));
  }
  return peaks;
}
