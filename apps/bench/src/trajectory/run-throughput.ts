import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/** One run of the command over a file, as a process of its own. */
export interface Throughput {
  readonly workers: number;
  readonly rows: number;
  readonly compressed: number;
  /** On the clock, start of the process included. */
  readonly seconds: number;
  /** Of all processors together. */
  readonly processorSeconds: number;
  /** Resident, at most. */
  readonly peakMegabytes: number;
}

export interface CommandUnderTest {
  run(input: string, workers: number): Promise<Throughput>;
  remove(): Promise<void>;
}

/** Prints what the process took, when it ends; a thread prints it for the whole process, too. */
const account = `data:text/javascript,process.on('exit',()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();process.stderr.write('account '+(u+s)/1e6+' '+m/1024+'\\n')})`;

/** Bundles the command from the sources: plain Node then runs what a build would. */
export async function bundleCommand(): Promise<CommandUnderTest> {
  const source = fileURLToPath(new URL('../../../../packages/trajectory', import.meta.url));
  // Beside the package, so that its dependencies are found from there.
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
        totals: { rows: number; compressed: number };
      };
      await rm(scratch, { recursive: true });
      return {
        workers,
        rows: totals.rows,
        compressed: totals.compressed,
        seconds,
        processorSeconds: Math.max(...accounts.map(([processor]) => processor!)),
        peakMegabytes: Math.max(...accounts.map(([, peak]) => peak!)),
      };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
