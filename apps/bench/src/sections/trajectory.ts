import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchOptions, count, type Measured, type Section } from '../section.ts';
import { atMost, failing, inUnit } from '../target.ts';
import { writeAgentRows } from '../trajectory/agent-rows.ts';
import { bundleCommand, type CommandUnderTest, type Throughput } from '../trajectory/run-throughput.ts';

/** Target for peak memory; a miss fails the run. Speed has no target, since other work on the machine disturbs it. */
const mostMegabytes = 400;
/** Most processor time that two workers may take in total, relative to one. */
const mostWaste = 1.6;

interface DataSet {
  readonly name: string;
  readonly bytes: number;
  readonly one: Throughput;
  readonly two: Throughput;
}

/** Measures the trajectory command on data sets: rows per second, scaling to two workers, and memory. */
export const trajectory: Section = {
  name: 'trajectory',
  title: 'Trajectories: rows per second, scaling, memory',
  async measure({ quick, dataFolder }: BenchOptions): Promise<Measured> {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-trajectory-'));
    const command = await bundleCommand();
    try {
      const generated = join(folder, 'generated.jsonl');
      writeAgentRows(generated, quick ? 4e6 : 64e6);
      const inputs = [{ name: 'generated', path: generated }];
      const real = dataFolder && (await joinRealSets(dataFolder, join(folder, 'real.jsonl'), quick ? 1 : 4));
      if (real) inputs.push({ name: 'real sets', path: real });
      const measured: DataSet[] = [];
      for (const { name, path } of inputs)
        measured.push({ name, bytes: (await stat(path)).size, ...(await measure(command, path, quick ? 1 : 3)) });
      const peak = Math.max(...measured.flatMap(({ one, two }) => [one.peakMegabytes, two.peakMegabytes]));
      return {
        report: [
          `Speed with two workers, relative to one: ${measured.map(({ name, one, two }) => `**${(one.seconds / two.seconds).toFixed(2)} x** on ${name}`).join(', ')}. A run counts every row exactly (o200k_base), compresses rows over 15,250 tokens with the extractive writer, and writes output, metrics, report and journal. Process start-up is included.`,
          {
            head: 'data set,MB,rows,compressed,workers,rows/s,MB/s,processor time (s),peak memory (MB)'.split(','),
            rows: measured.flatMap((one) => [rowOf(one, one.one), rowOf(one, one.two)]),
          },
        ],
        figures: measured,
        broken: measured.flatMap((one) => faultsOf(one, quick)),
        targets: [failing(atMost('trajectory', 'peak memory', mostMegabytes, peak, inUnit(0, 'MB')))],
      };
    } finally {
      await command.remove();
      await rm(folder, { recursive: true });
    }
  },
};

/** Alternates runs with one and two workers and returns the fastest of each, which is the least disturbed. */
async function measure(command: CommandUnderTest, path: string, rounds: number): Promise<Pick<DataSet, 'one' | 'two'>> {
  const [ones, twos]: [Throughput[], Throughput[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ones.push(await command.run(path, 1));
    twos.push(await command.run(path, 2));
  }
  const fastest = (runs: readonly Throughput[]): Throughput => runs.reduce((a, b) => (b.seconds < a.seconds ? b : a));
  return { one: fastest(ones), two: fastest(twos) };
}

async function joinRealSets(dataFolder: string, path: string, times: number): Promise<string | null> {
  const folder = join(dataFolder, 'sharegpt');
  const names = await readdir(folder).catch(() => []);
  const sets = await Promise.all(
    names.filter((name) => name.endsWith('.jsonl')).map((name) => readFile(join(folder, name), 'utf8')),
  );
  if (sets.length === 0) return null;
  await writeFile(
    path,
    sets
      .map((text) => `${text.trimEnd()}\n`)
      .join('')
      .repeat(times),
  );
  return path;
}

function faultsOf({ name, one, two }: DataSet, quick: boolean): string[] {
  const faults: string[] = [];
  if (one.rows !== two.rows || one.compressed !== two.compressed)
    faults.push(`${name}: two workers processed or compressed a different number of rows than one`);
  // The single short round of a quick run is mostly start-up time and noise.
  if (!quick && two.processorSeconds > one.processorSeconds * mostWaste + 1)
    faults.push(
      `${name}: two workers take ${(two.processorSeconds / one.processorSeconds).toFixed(2)} x the processor time of one`,
    );
  return faults;
}

const rowOf = ({ name, bytes }: DataSet, run: Throughput): string[] => [
  name,
  (bytes / 1e6).toFixed(0),
  count(run.rows),
  count(run.compressed),
  String(run.workers),
  count(Math.round(run.rows / run.seconds)),
  (bytes / 1e6 / run.seconds).toFixed(1),
  run.processorSeconds.toFixed(1),
  run.peakMegabytes.toFixed(0),
];
