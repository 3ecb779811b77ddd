import { type ChildProcess, spawn } from 'node:child_process';

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** Its standard error so far. */
  said(): string;
  readonly ended: Promise<Ran>;
}

export interface RunCliOptions {
  readonly cwd: string;
  readonly stdin?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Leave standard input to the caller. */
  readonly keepsOpen?: boolean | undefined;
  /** Flags for Node. */
  readonly flags?: readonly string[] | undefined;
}

/** Starts the program as a separate process. */
export function startCli(script: string, arguments_: readonly string[], options: RunCliOptions): Running {
  const { NO_COLOR: _, FORCE_COLOR: __, NODE_OPTIONS: ___, ...env } = process.env;
  const child = spawn(process.execPath, [...(options.flags ?? []), script, ...arguments_], {
    cwd: options.cwd,
    env: { ...env, ...options.env },
  });
  child.stdin.on('error', () => {});
  if (!options.keepsOpen) child.stdin.end(options.stdin ?? '');
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, said: () => stderr, ended };
}

export function runCli(script: string, arguments_: readonly string[], options: RunCliOptions): Promise<Ran> {
  return startCli(script, arguments_, options).ended;
}
