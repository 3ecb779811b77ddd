import type { CommandArguments } from './tools/command.ts';
import type { EditArguments } from './tools/files.ts';
import type { SearchArguments } from './tools/search.ts';
import type { TodoItem } from './tools/todo.ts';
import type { Deed } from './tools/tool-set.ts';

/** How a call must end for the scenario's words to be true. */
type Expected = { readonly ok: boolean; readonly exitCode?: number | null };

/** A call that a scenario lets its agent make. */
export interface Call {
  readonly deed: Deed;
  readonly given: object;
  readonly expected: Expected;
}

const well: Expected = { ok: true };

/** A command that succeeds. */
export function run(command: string): Call {
  return { deed: 'command', given: { command } satisfies CommandArguments, expected: { ok: true, exitCode: 0 } };
}

/** A command that succeeds and is given more time than usual. */
export function runPatiently(timeoutMs: number, command: string): Call {
  const given: CommandArguments = { command, timeout_ms: timeoutMs };
  return { deed: 'command', given, expected: { ok: true, exitCode: 0 } };
}

/** A command that ends with this exit code. */
export function runFailing(exitCode: number, command: string): Call {
  return { deed: 'command', given: { command } satisfies CommandArguments, expected: { ok: false, exitCode } };
}

/** A command that does not end in time and is killed. */
export function runTooLong(timeoutMs: number, command: string): Call {
  const given: CommandArguments = { command, timeout_ms: timeoutMs };
  return { deed: 'command', given, expected: { ok: false, exitCode: null } };
}

/** Reads a file, or `limit` lines of it from line `offset`. */
export function read(path: string, offset?: number, limit?: number): Call {
  const range = { ...(offset === undefined ? {} : { offset }), ...(limit === undefined ? {} : { limit }) };
  return { deed: 'read', given: { path, ...range }, expected: well };
}

/** Reads a file that is not there. */
export function readMissing(path: string): Call {
  return { deed: 'read', given: { path }, expected: { ok: false } };
}

/** Writes a whole file. */
export function write(path: string, content: string): Call {
  return { deed: 'write', given: { path, content }, expected: well };
}

/** Replaces the one place where `before` stands. */
export function edit(path: string, before: string, after: string): Call {
  const given: EditArguments = { path, old_string: before, new_string: after };
  return { deed: 'edit', given, expected: well };
}

/** An edit whose passage is not there, or there more than once. */
export function editFailing(path: string, before: string, after: string): Call {
  return { ...edit(path, before, after), expected: { ok: false } };
}

/** Searches file contents. */
export function search(pattern: string, where: Omit<SearchArguments, 'pattern'> = {}): Call {
  return { deed: 'search', given: { pattern, ...where }, expected: well };
}

/** Lists a folder. */
export function list(path?: string): Call {
  return { deed: 'list', given: path === undefined ? {} : { path }, expected: well };
}

/** Replaces the agent's list; each item is written `status: text`. */
export function plan(...lines: readonly `${TodoItem['status']}: ${string}`[]): Call {
  const items = lines.map((line) => {
    const colon = line.indexOf(': ');
    return { status: line.slice(0, colon), text: line.slice(colon + 2) };
  });
  return { deed: 'todo', given: { items }, expected: well };
}
