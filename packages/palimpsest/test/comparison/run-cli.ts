import { spawn } from 'node:child_process';
import { programCommand } from '../program/running-program.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as a separate process. */
export function runCli(
  arguments_: readonly string[],
  { cwd, stdin = '', heapMegabytes = 256 }: { cwd: string; stdin?: string; heapMegabytes?: number },
): Promise<Ran> {
  const [node, script] = programCommand;
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawn(node, [`--max-old-space-size=${heapMegabytes}`, script, ...arguments_], { cwd, env });
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
