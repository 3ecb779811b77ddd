import type { ToolExchange } from './exchange.ts';
import { countLines } from './outcome.ts';

/** The command a shell was given: a line, or the words of an argument vector without the shell that runs them. */
export function commandOf(exchange: ToolExchange): string {
  const vector = exchange.args.command ?? exchange.args.cmd;
  if (Array.isArray(vector)) {
    const words = vector.map(String);
    return /^(?:\/(?:usr\/)?bin\/)?(?:ba|z)?sh$/.test(words[0] ?? '') && words.length === 3
      ? words[2]!
      : words.join(' ');
  }
  return exchange.argument('command', 'cmd', 'script', 'code', 'input', 'chars') ?? exchange.input;
}

const pathNames = [
  'file_path',
  'filePath',
  'path',
  'filename',
  'file',
  'target_file',
  'notebook_path',
  'absolute_path',
  'AbsolutePath',
  'relative_path',
  'relative_workspace_path',
  'uri',
  'dir',
  'directory',
  'dir_path',
  'folder',
] as const;

/** The file or folder a call names; `null` when it names none. */
export function pathOf(exchange: ToolExchange): string | null {
  const named = exchange.argument(...pathNames);
  if (named !== null) return named;
  const patch = (exchange.argument('input', 'patch') ?? exchange.input).slice(0, 4_000);
  return /^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$/m.exec(patch)?.[1] ?? null;
}

const gutter = /^\s{0,8}(\d{1,7})(?:\u2192|\t|\||: |:)/;

/** First and last line number in the gutter of a read result; `null` when its lines are not numbered one after the other. */
export function shownLines({ outcome: { output } }: ToolExchange): readonly [first: number, last: number] | null {
  const opening = output.slice(0, 1_000).split('\n').slice(0, 8).map(numberOf);
  const at = opening.findIndex((number) => number !== null);
  const first = opening[at] ?? null;
  const second = opening[at + 1] ?? null;
  if (first === null || (second !== null && second !== first + 1)) return null;
  // Remarks of the harness may follow, of any length; the line before them must be numbered, or nothing is claimed.
  const reminder = output.indexOf('\n<system-reminder>');
  const body = reminder < 0 ? output : output.slice(0, reminder);
  const closing = body.slice(-4_000).split('\n');
  if (body.length > 4_000) closing[0] = '';
  const last = numberOf(closing.findLast((line) => line.trim() !== '' && !/^\s*[(<[]/.test(line)) ?? '');
  const claimed =
    last !== null && last >= first && last - first < countLines(body) && (second !== null || last === first);
  return claimed ? [first, last] : null;
}

function numberOf(line: string): number | null {
  const found = gutter.exec(line);
  return found ? Number(found[1]) : null;
}
