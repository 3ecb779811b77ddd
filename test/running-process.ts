import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that runs. */
export interface RunningProgram {
  readonly process: ChildProcess;
  /** What it has written so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Both, as a terminal shows them. */
  readonly output: string;
  /** Resolves when it has written a text, to either. */
  written(text: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Folder and variables of a process. */
export interface ProcessOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** True if it leads a process group, so that the programs it starts can be ended with it. @default false */
  readonly isGroup?: boolean | undefined;
}

/** Runs a program. The addresses of providers in this environment are not passed on. */
export function runningProcess(
  file: string,
  arguments_: readonly string[],
  { cwd, env = {}, isGroup = false }: ProcessOptions,
): RunningProgram {
  const { OPENAI_BASE_URL: _, ANTHROPIC_BASE_URL: __, ...inherited } = process.env;
  const child = spawn(file, arguments_, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  });
  let [stdout, stderr, output] = ['', '', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    output += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return {
    process: child,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    get output() {
      return output;
    },
    async written(text) {
      for (;;) {
        const found = text.exec(stdout) ?? text.exec(stderr);
        if (found) return found;
        const more = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
        const isOver = await Promise.race([more.then(() => false), ended.then(() => true)]);
        if (isOver && !text.test(stdout + stderr)) throw new Error(`it ended without ${text}:\n${stdout}${stderr}`);
      }
    },
    ended,
  };
}
