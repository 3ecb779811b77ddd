import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const tsx = import.meta.resolve('tsx');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as a separate process, from its sources. */
export function runCli(
  arguments_: readonly string[],
  { cwd, stdin = '', heapMegabytes = 256 }: { cwd: string; stdin?: string; heapMegabytes?: number },
): Promise<Ran> {
  const flags = [`--max-old-space-size=${heapMegabytes}`, '--import', tsx, '--conditions=palimpsest-source'];
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawn(process.execPath, [...flags, cli, ...arguments_], { cwd, env });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
