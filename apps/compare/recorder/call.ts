import type { CommandArguments } from './tools/command.ts';
import type { EditArguments } from './tools/files.ts';
import type { SearchArguments } from './tools/search.ts';
import type { TodoItem } from './tools/todo.ts';
import type { ToolAction } from './tools/tool-set.ts';

/** The outcome that a call must have. With any other, the text of the scenario would be wrong. */
type Expected = { readonly ok: boolean; readonly exitCode?: number | null };

/** A tool call of a scenario's agent. */
export interface Call {
  readonly action: ToolAction;
  readonly input: object;
  readonly expected: Expected;
}

const success: Expected = { ok: true };

/** A command that succeeds. */
export function run(command: string): Call {
  return { action: 'command', input: { command } satisfies CommandArguments, expected: { ok: true, exitCode: 0 } };
}

/** A command that succeeds, with a longer timeout. */
export function runSlow(timeoutMs: number, command: string): Call {
  const input: CommandArguments = { command, timeout_ms: timeoutMs };
  return { action: 'command', input, expected: { ok: true, exitCode: 0 } };
}

/** A command that ends with this exit code. */
export function runFailing(exitCode: number, command: string): Call {
  return { action: 'command', input: { command } satisfies CommandArguments, expected: { ok: false, exitCode } };
}

/** A command that is killed at its timeout. */
export function runUntilTimeout(timeoutMs: number, command: string): Call {
  const input: CommandArguments = { command, timeout_ms: timeoutMs };
  return { action: 'command', input, expected: { ok: false, exitCode: null } };
}

/** Reads a file, or `limit` lines of it from line `offset`. */
export function read(path: string, offset?: number, limit?: number): Call {
  const range = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
  return { action: 'read', input: { path, ...range }, expected: success };
}

/** Reads a file that does not exist. */
export function readMissing(path: string): Call {
  return { action: 'read', input: { path }, expected: { ok: false } };
}

/** Writes a whole file. */
export function write(path: string, content: string): Call {
  return { action: 'write', input: { path, content }, expected: success };
}

/** Replaces the only occurrence of `before` in a file. */
export function edit(path: string, before: string, after: string): Call {
  const input: EditArguments = { path, old_string: before, new_string: after };
  return { action: 'edit', input, expected: success };
}

/** An edit that fails, because `before` does not occur or occurs more than once. */
export function editFailing(path: string, before: string, after: string): Call {
  return { ...edit(path, before, after), expected: { ok: false } };
}

/** Searches file contents. */
export function search(pattern: string, where: Omit<SearchArguments, 'pattern'> = {}): Call {
  return { action: 'search', input: { pattern, ...where }, expected: success };
}

/** Lists a folder. */
export function list(path?: string): Call {
  return { action: 'list', input: path === undefined ? {} : { path }, expected: success };
}

/** Replaces the agent's task list. Each item has the form `status: text`. */
export function plan(...lines: readonly `${TodoItem['status']}: ${string}`[]): Call {
  const items = lines.map((line) => {
    const colon = line.indexOf(': ');
    return { status: line.slice(0, colon), text: line.slice(colon + 2) };
  });
  return { action: 'todo', input: { items }, expected: success };
}
