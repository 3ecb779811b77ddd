import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Starts a script of this repository, from its source, as a process. @returns it, and what matched in its output */
export async function startScript(
  path: string,
  arguments_: readonly string[],
  ready: RegExp,
): Promise<{ readonly child: ChildProcess; readonly found: RegExpExecArray }> {
  const script = fileURLToPath(new URL(path, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, script, ...arguments_], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const found = ready.exec(line);
    if (found) return { child, found };
  }
  throw new Error(`${path} ended before it was ready`);
}
