import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Spread, spreadOf } from '../spread.ts';
import { calmest, type Round } from '../timed-round.ts';
import { exponentOf } from './exponent.ts';

/** Instructions for a measuring process. */
export interface Order {
  readonly subjects: readonly string[];
  /** Lengths of transcripts, in messages. */
  readonly sizes: readonly number[];
  /** Timed rounds over all sizes, after one warm-up round. */
  readonly rounds: number;
}

/** One measurement in the measuring process. Heap sizes are in bytes. */
export interface Run extends Round {
  readonly subject: string;
  readonly size: number;
  /** True in the warm-up round, in which garbage collections are traced instead of timing the work. */
  readonly isWatched: boolean;
  readonly heapBefore: number;
  readonly heapAfter: number;
}

/** Results at one size: the spread of processor time in milliseconds, and the peak heap. */
interface GrowthPoint extends Spread {
  readonly size: number;
  /** Peak heap in bytes beyond the heap before the work. Includes garbage that is not yet collected. */
  readonly peakHeap: number;
}

export interface Growth {
  readonly subject: string;
  readonly points: readonly GrowthPoint[];
  /** Exponent of processor time by number of messages; 1 is linear. */
  readonly exponent: number;
  /** Exponent of peak heap by number of messages; 1 is linear. */
  readonly heapExponent: number;
}

/** Measures the subjects one after another in a separate process. */
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
 * Reads the peak heap of each measurement, in bytes, from the output of `--trace-gc`: the most heap in use before any
 * collection. A collection on demand marks the start of a measurement.
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
