import type { ToolExchange } from './exchange.ts';
import { countLines } from './outcome.ts';
import { count, type Quote } from './quote.ts';
import type { ToolClass } from './tool.ts';

/** Writes what a class of tools did, without the `[name] ` in front; says only what call and result say. */
type Writer = (exchange: ToolExchange, quote: Quote) => string;

/** The line a result of a built-in class becomes. An answer of the user has none: it is kept as it is. */
export const writers: Readonly<Record<Exclude<ToolClass, 'ask'>, Writer>> = {
  command: (exchange, quote) => {
    const { exitCode, output } = exchange.outcome;
    const lines = countLines(output);
    const size = lines === 0 ? 'no output' : `${count(lines)} ${lines === 1 ? 'line' : 'lines'} output`;
    return `ran \`${quote(commandOf(exchange), 90)}\` -> ${exitCode === null ? '' : `exit ${exitCode}, `}${size}${ending(exchange, quote)}`;
  },
  read: (exchange, quote) =>
    `read ${target(exchange, quote)}${rangeOf(exchange)} ${size(exchange)}${ending(exchange, quote)}`,
  write: (exchange, quote) =>
    `${exchange.outcome.failed ? 'tried to change' : 'called on'} ${target(exchange, quote)} ${size(exchange)}${ending(exchange, quote)}`,
  search: (exchange, quote) => {
    const pattern = exchange.argument('pattern', 'query', 'regex', 'search_term', 'glob', 'file_name', 'name', 'q');
    const path = pathOf(exchange);
    const what = pattern === null ? 'listing' : `search for '${quote(pattern, 60)}'`;
    return `${what}${path === null ? '' : ` in ${quote(path, 60)}`} -> ${found(exchange)}${ending(exchange, quote)}`;
  },
  browse: (exchange, quote) => {
    const where = exchange.argument('url', 'selector', 'element', 'text', 'action');
    return `${where === null ? 'page' : `'${quote(where)}'`} ${size(exchange)}${ending(exchange, quote)}`;
  },
  fetch: (exchange, quote) => {
    const query = exchange.argument('query', 'q', 'search_query');
    const urls = exchange.args.urls;
    const url = exchange.argument('url', 'uri', 'link') ?? (Array.isArray(urls) ? urls.join(' ') : null);
    const what = query !== null ? `query='${quote(query)}'` : url !== null ? quote(url, 100) : 'fetch';
    return `${what} ${size(exchange, ' result')}${ending(exchange, quote)}`;
  },
  delegate: (exchange, quote) => {
    const task = exchange.argument('description', 'goal', 'task', 'title', 'name', 'prompt', 'message', 'task_id');
    return `${task === null ? 'task' : `'${quote(task)}'`} ${size(exchange, ' result')}${ending(exchange, quote)}`;
  },
  generic: (exchange, quote) => {
    const input = exchange.input.trim();
    return `${input === '' || input === '{}' ? 'called' : quote(input)} ${size(exchange, ' result')}${ending(exchange, quote)}`;
  },
};

const size = ({ text }: ToolExchange, what = ''): string => `(${count(text.length)} chars${what})`;

/** The command a shell was given: a line, or the words of an argument vector without the shell that runs them. */
export function commandOf(exchange: ToolExchange): string {
  const vector = exchange.args.command ?? exchange.args.cmd;
  if (Array.isArray(vector)) {
    const words = vector.map(String);
    return /^(?:\/bin\/)?(?:ba|z)?sh$/.test(words[0] ?? '') && words.length === 3 ? words[2]! : words.join(' ');
  }
  return exchange.argument('command', 'cmd', 'script', 'code', 'input', 'chars') ?? exchange.input;
}

/** The file or folder a call names; `null` when it names none. */
export function pathOf(exchange: ToolExchange): string | null {
  const named = exchange.argument(
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
    'uri',
    'dir',
    'directory',
    'dir_path',
    'folder',
  );
  if (named !== null) return named;
  const patched = /^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$/m.exec(
    (exchange.argument('input', 'patch') ?? exchange.input).slice(0, 4_000),
  );
  return patched ? patched[1]! : null;
}

function target(exchange: ToolExchange, quote: Quote): string {
  const path = pathOf(exchange);
  return path === null ? 'a file' : quote(path, 110);
}

const gutter = /^\s{0,8}(\d{1,7})(?:\u2192|\t|\||: |:)/;

/** First and last line number in the gutter of a read result; `null` when its lines are not numbered. */
export function shownLines({ outcome: { output } }: ToolExchange): readonly [number, number] | null {
  const lines = output.slice(0, 600).split('\n').slice(0, 8);
  const first = lines.map((line) => gutter.exec(line)).find(Boolean);
  const last = output
    .slice(-4_000)
    .split('\n')
    .reverse()
    .map((line) => gutter.exec(line))
    .find(Boolean);
  return first && last ? [Number(first[1]), Number(last[1])] : null;
}

function rangeOf(exchange: ToolExchange): string {
  const shown = shownLines(exchange);
  if (shown && shown[0] <= shown[1]) return ` lines ${count(shown[0])} to ${count(shown[1])}`;
  const { offset, view_range: range, line_number: line, start_line: start } = exchange.args;
  const from = [offset, start, line, Array.isArray(range) ? range[0] : undefined].find((value) =>
    Number.isInteger(value),
  );
  return from === undefined ? '' : ` from line ${from as number}`;
}

/** How many matches a search reports; lines where it does not say and they cannot be told apart. */
function found(exchange: ToolExchange): string {
  const { output, data } = exchange.outcome;
  const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
  const list = Array.isArray(data) ? data : [fields.matches, fields.files, fields.results].find(Array.isArray);
  const total =
    [fields.total_count, fields.totalCount, fields.count, fields.numMatches].find(Number.isInteger) ?? list?.length;
  if (total !== undefined) return `${count(total as number)} matches`;
  const said = /^\s{0,8}(?:Found|Total:?) (\d[\d,]{0,8}) (match(?:es)?|files?|results?)\b/m.exec(output.slice(0, 400));
  if (said) return `${said[1]} ${said[2]}`;
  if (/^\s{0,8}No (?:matches|files|results)(?: were)? found/i.test(output)) return '0 matches';
  return `${count(countLines(output))} lines`;
}

/** The error a result states, as far as it can be quoted: its error field, or the line that says what went wrong. */
function ending(exchange: ToolExchange, quote: Quote): string {
  const { failed, error, output } = exchange.outcome;
  if (!failed) return '';
  const line = error ?? errorLine(output);
  return line === null ? '' : `: ${quote(line, 110)}`;
}

const strongError =
  /^.{0,60}?(?:\b[A-Z]\w{0,40}(?:Error|Exception)\b|\berror(?:\[\w+\])?:|\bfatal:|\bFAILED\b|\bpanicked at\b)/im;
const weakError = /error|fail|fatal|exception|denied|not found|no such|cannot|can't|unable|invalid/i;

/** The line of an output that says what went wrong; its last line when none stands out; `null` when it is blank. */
export function errorLine(output: string): string | null {
  const end = output.slice(-8_000);
  const lines = end
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0) return null;
  if (/^Traceback /m.test(output.slice(0, 4_000)) || /^Traceback /m.test(end)) return lines.at(-1)!;
  const strong = strongError.exec(output.slice(0, 8_000)) ?? strongError.exec(end);
  if (strong) {
    const source = strong.input;
    const stop = source.indexOf('\n', strong.index);
    return source.slice(strong.index, stop < 0 ? source.length : stop).trim();
  }
  return lines.findLast((line) => weakError.test(line)) ?? lines.at(-1)!;
}
