import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/** Measurements of one run of the command over a file, in its own process. */
export interface Throughput {
  readonly workers: number;
  readonly rows: number;
  readonly compacted: number;
  /** Wall-clock time, including process start-up. */
  readonly seconds: number;
  /** Processor time, summed over all processors. */
  readonly processorSeconds: number;
  /** Peak resident memory. */
  readonly peakMegabytes: number;
}

export interface CommandUnderTest {
  run(input: string, workers: number): Promise<Throughput>;
  remove(): Promise<void>;
}

/**
 * Module that prints processor seconds and peak kilobytes of the process on exit. Worker threads print them as well, for the
 * whole process. On Linux, `maxRSS` begins with the memory of the parent process, so there the peak comes from the system's
 * status file.
 */
const account = `data:text/javascript,${encodeURIComponent(`
import { readFileSync } from 'node:fs';
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  let peak = maxRSS;
  try { peak = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]; } catch {}
  process.stderr.write('account ' + (userCPUTime + systemCPUTime) / 1e6 + ' ' + peak / 1024 + '\\n');
});`)}`;

/** Bundles the command from source, so that plain Node runs it as it would run a build. */
export async function bundleCommand(): Promise<CommandUnderTest> {
  const source = fileURLToPath(new URL('../../../../packages/trajectory', import.meta.url));
  // Inside the package, so that Node resolves its dependencies from there.
  const folder = await mkdtemp(join(source, 'node_modules/.bench-'));
  await build({
    entryPoints: { cli: join(source, 'src/cli.ts'), 'worker-thread': join(source, 'src/worker-thread.ts') },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['palimpsest-source'],
    external: ['gpt-tokenizer', 'openai', '@anthropic-ai/sdk', 'piscina', 'bullmq', 'ioredis', 'commander', 'cli-*'],
    logLevel: 'error',
  });
  return {
    async run(input, workers) {
      const scratch = await mkdtemp(join(tmpdir(), 'palimpsest-throughput-'));
      const out = join(scratch, 'out.jsonl');
      const started = performance.now();
      const flags = ['--import', account, join(folder, 'cli.js')];
      const options = [input, '--out', out, '--workers', String(workers), '--quiet'];
      const { stderr } = await promisify(execFile)(process.execPath, [...flags, ...options]);
      const seconds = (performance.now() - started) / 1_000;
      const accounts = [...stderr.matchAll(/account (\S+) (\S+)/g)].map(([, ...both]) => both.map(Number));
      const { totals } = JSON.parse(await readFile(join(scratch, 'out.report.json'), 'utf8')) as {
        totals: { rows: number; compacted: number };
      };
      await rm(scratch, { recursive: true });
      return {
        workers,
        rows: totals.rows,
        compacted: totals.compacted,
        seconds,
        processorSeconds: Math.max(...accounts.map(([processor]) => processor!)),
        peakMegabytes: Math.max(...accounts.map(([, peak]) => peak!)),
      };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
