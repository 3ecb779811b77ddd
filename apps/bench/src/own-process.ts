import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script of the bench in its own process.
 * @param script URL of a module that calls {@link answerIfMain}, or prints its answer as JSON
 * @param order passed to the script as JSON
 * @param flags of Node
 * @throws when the process fails; its error output has already been printed
 */
export async function inOwnProcess<Answer>(
  script: string | URL,
  order: unknown,
  flags: readonly string[] = [],
): Promise<Answer> {
  const path = fileURLToPath(script);
  const given = [...flags, ...process.execArgv, path, JSON.stringify(order)];
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const output = await text(child.stdout);
  if ((await ended) !== 0) throw new Error(`${basename(path)} failed in its own process; its error output is above.`);
  return JSON.parse(output) as Answer;
}

/**
 * Answers the order of {@link inOwnProcess} if this process was started for the calling module.
 * @param url the module's `import.meta.url`
 */
export async function answerIfMain<Order>(url: string, answer: (order: Order) => unknown): Promise<void> {
  if (process.argv[1] !== fileURLToPath(url)) return;
  process.stdout.write(JSON.stringify(await answer(JSON.parse(process.argv[2]!) as Order)));
}
