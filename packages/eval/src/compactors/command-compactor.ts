import { type ChildProcess, spawn } from 'node:child_process';
import { type Message, PalimpsestError } from '@palimpsest/core';
import { checkOptions, isRecord, numberRule, type RulesOf, textRule, timeoutRule } from '@palimpsest/core/authoring';
import type { CompactedMessages, Compactor, ModelCall } from './compactor.ts';

/** Options of {@link commandCompactor}. */
export interface CommandCompactorOptions {
  /** Working folder. @default that of this process */
  readonly cwd?: string | undefined;
  /** Environment variables. @default those of this process */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The most time for one compaction. The command is stopped after it. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** The largest output. The command is stopped beyond it. @default 64 MiB */
  readonly maxOutputBytes?: number | undefined;
}

const rules: RulesOf<CommandCompactorOptions> = {
  cwd: textRule,
  env: { expected: 'an object of environment variables', isValid: isRecord },
  timeoutMs: timeoutRule,
  maxOutputBytes: numberRule(1, 2 ** 40),
};

/** What a command gets on standard input, as one JSON document. */
interface CommandInput {
  readonly version: 1;
  /** OpenAI chat messages without the system prompt, oldest first. */
  readonly messages: readonly Message[];
  /** Tokens of each message, so that a program needs no tokenizer to choose among them. */
  readonly tokens: readonly number[];
  /** Tokens that the output may have. */
  readonly budgetTokens: number;
}

/**
 * Scores a program in any language. It is started for each compaction with a shell, gets a JSON document on standard input
 * (`version`, `messages`, `tokens` of each message, `budgetTokens`), and prints the messages that remain as a JSON array, or
 * as `{ "messages": [...], "calls": [{ "inputTokens": 1, "outputTokens": 1 }] }`.
 * @param command a command line of the shell, such as `python3 compact.py`
 * @throws {PalimpsestError} `OPTION_INVALID`; its `compact` rejects with `COMMAND_FAILED`
 */
export function commandCompactor(command: string, options: CommandCompactorOptions = {}): Compactor {
  checkOptions('commandCompactor', options, rules);
  return {
    compact: async (messages, budgetTokens, counter) => {
      const tokens = messages.map((message) => Math.ceil(counter.countMessage(message)));
      const input: CommandInput = { version: 1, messages, tokens, budgetTokens };
      const text = await run(command, JSON.stringify(input), options);
      return withOriginals(readOutput(command, text), messages);
    },
  };
}

/** Running commands. Each has its own process group, so it would survive this process. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) kill(child);
});

/** The output of a command, as text. */
function run(
  command: string,
  input: string,
  { cwd, env = process.env, timeoutMs = 60_000, maxOutputBytes = 64 * 2 ** 20 }: CommandCompactorOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // In its own group, so that programs started by the shell are stopped with it.
    const child = spawn(command, { shell: true, cwd, env, stdio: 'pipe', detached: process.platform !== 'win32' });
    running.add(child);
    const output: Buffer[] = [];
    let size = 0;
    let printed = '';
    let stopped: string | null = null;
    const stop = (reason: string): void => {
      stopped ??= reason;
      kill(child);
    };
    const timer = setTimeout(() => stop(`it took longer than ${timeoutMs / 1000} s`), timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxOutputBytes) stop(`it printed more than ${maxOutputBytes} bytes`);
      else output.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-4_000);
    });
    // A command may end without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', (error) => {
      running.delete(child);
      clearTimeout(timer);
      reject(failureError(command, `it could not be started: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      running.delete(child);
      clearTimeout(timer);
      if (stopped !== null) return reject(failureError(command, stopped));
      if (code === 0) return resolve(Buffer.concat(output).toString('utf8'));
      reject(
        failureError(
          command,
          `it ended with ${code === null ? `signal ${signal}` : `exit code ${code}`}${lastLine(printed)}`,
        ),
      );
    });
  });
}

function kill(child: ChildProcess): void {
  try {
    if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

const lastLine = (printed: string): string => {
  const line = printed.trim().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '' : `, after printing: ${line.slice(0, 300)}`;
};

function readOutput(command: string, text: string): CompactedMessages {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const shown = text.trim() === '' ? 'nothing' : `text that begins with ${JSON.stringify(text.trim().slice(0, 40))}`;
    throw failureError(
      command,
      `it printed ${shown}; print a JSON array of messages, and nothing else, on standard output`,
    );
  }
  if (Array.isArray(value)) return { messages: value as Message[] };
  const { messages, calls } = (value ?? {}) as { messages?: unknown; calls?: unknown };
  if (!Array.isArray(messages))
    throw failureError(
      command,
      'it printed JSON without messages; print an array of messages, or { "messages": [...] }',
    );
  return { messages: messages as Message[], calls: readCalls(command, calls) };
}

function readCalls(command: string, calls: unknown): ModelCall[] {
  if (calls === undefined || calls === null) return [];
  const isCall = (call: unknown): call is ModelCall =>
    [(call as ModelCall | null)?.inputTokens, (call as ModelCall | null)?.outputTokens].every(
      (tokens) => typeof tokens === 'number' && tokens >= 0,
    );
  if (!Array.isArray(calls) || !calls.every(isCall))
    throw failureError(command, 'its "calls" are not an array of { "inputTokens": number, "outputTokens": number }');
  return calls;
}

/** Replaces messages by the equal objects of the input: what is known about a message is stored by its object. */
function withOriginals({ messages, calls }: CompactedMessages, input: readonly Message[]): CompactedMessages {
  const originals = new Map(input.map((message) => [JSON.stringify(message), message]));
  return { calls, messages: messages.map((message) => originals.get(JSON.stringify(message)) ?? message) };
}

function failureError(command: string, reason: string): PalimpsestError {
  return new PalimpsestError('COMMAND_FAILED', `the command "${command.slice(0, 200)}" failed: ${reason}`, {
    command,
    reason,
  });
}
