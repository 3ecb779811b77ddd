import type { ToolClass } from '@palimpsest/core/tools';
import { withoutHalfPair } from '@palimpsest/salience';
import { commandOf, pathOf } from './call-target.ts';
import type { ToolExchange } from './exchange.ts';
import { matchCount } from './match-count.ts';
import { countLines } from './outcome.ts';
import { count, type Quote } from './quote.ts';

/** Writes what a call did and how it ended, without the `[name] ` in front; only what call and result say. */
type Writer = (exchange: ToolExchange, quote: Quote) => string;

/** Writes the line that replaces a result, by built-in class. */
export const writers: Readonly<Record<ToolClass, Writer>> = {
  command: (exchange, quote) => {
    const { exitCode, output, failed } = exchange.outcome;
    const lines = countLines(output);
    const size = lines === 0 ? 'no output' : `${count(lines)} ${lines === 1 ? 'line' : 'lines'} output, removed`;
    const ended = exitCode !== null ? `exit ${exitCode}, ` : failed ? 'error, ' : '';
    return `ran \`${quote(commandOf(exchange), 70)}\` -> ${ended}${size}`;
  },
  read: (exchange, quote) =>
    exchange.outcome.failed
      ? `read of ${target(exchange, quote)} -> error ${size(exchange)}`
      : `read ${target(exchange, quote)}${rangeOf(exchange)} ${size(exchange)}`,
  write: (exchange, quote) =>
    `change of ${target(exchange, quote)}${changeSize(exchange)} -> ${exchange.outcome.failed ? 'error ' : ''}${size(exchange, ' result')}`,
  search: (exchange, quote) => {
    const pattern = exchange.argument('pattern', 'query', 'regex', 'search_term', 'glob', 'file_name', 'name', 'q');
    // Without anything searched for, only what lists is known to have listed.
    if (pattern === null && !/^(?:ls|list|tree|directory)/.test(exchange.tool)) return writers.generic(exchange, quote);
    const path = pathOf(exchange);
    const what = pattern === null ? 'listed' : `search for '${quote(pattern, 50)}'`;
    const where = path === null ? '' : `${pattern === null ? ' ' : ' in '}${pathQuote(path, quote, 50)}`;
    return `${what}${where} -> ${exchange.outcome.failed ? `error ${size(exchange)}` : `${matchCount(exchange)}, removed`}`;
  },
  ask: (exchange, quote) => about(exchange, quote, ' answer', ['question', 'prompt', 'query', 'message']),
  browse: (exchange, quote) => about(exchange, quote, '', ['url', 'selector', 'element', 'text', 'action']),
  fetch: (exchange, quote) => {
    const query = exchange.argument('query', 'q', 'search_query');
    if (query !== null) return `query='${quote(query)}'${ending(exchange)} ${size(exchange, ' result')}`;
    const { urls } = exchange.args;
    const url =
      exchange.argument('url', 'uri', 'link') ?? (Array.isArray(urls) ? urls.map(addressOf).join(' ') : 'called');
    return `${quote(url, 100)}${ending(exchange)} ${size(exchange, ' result')}`;
  },
  delegate: (exchange, quote) =>
    about(exchange, quote, ' result', ['description', 'goal', 'task', 'title', 'name', 'prompt', 'message', 'task_id']),
  generic: (exchange, quote) => about(exchange, quote, ' result', []),
};

/** States how large the result was and that it was removed: any text after it is only a quotation. */
const size = ({ text }: ToolExchange, what = ''): string => `(${count(text.length)} chars${what}, removed)`;

/** The address in an item of a list: the item itself, or a field of it. */
function addressOf(given: unknown): string {
  if (typeof given === 'string') return given;
  const { url, uri, link, href } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const address = [url, uri, link, href].find((one) => typeof one === 'string');
  return (address as string | undefined) ?? JSON.stringify(given) ?? '';
}

const writtenNames = ['content', 'contents', 'file_text', 'new_string', 'new_str', 'newString', 'insert_text'] as const;

/** How much a change wrote, if the call shows it: characters of the new text, or lines of a patch. */
function changeSize(exchange: ToolExchange): string {
  const written = exchange.argument(...writtenNames);
  if (written !== null) return `, ${count(written.length)} ${written.length === 1 ? 'char' : 'chars'} written`;
  const patch = exchange.argument('input', 'patch', 'diff') ?? exchange.input;
  if (!/^(?:\*\*\* Begin Patch|--- |diff --git |@@ )/m.test(patch.slice(0, 2_000))) return '';
  const lines = (mark: string): number => {
    let found = 0;
    for (let at = patch.indexOf(`\n${mark}`); at >= 0; at = patch.indexOf(`\n${mark}`, at + 1))
      if (!patch.startsWith(mark.repeat(3), at + 1)) found++;
    return found;
  };
  return `, +${count(lines('+'))} -${count(lines('-'))} lines`;
}

const ending = ({ outcome }: ToolExchange): string =>
  outcome.failed ? ` -> ${outcome.exitCode === null ? 'error' : `exit ${outcome.exitCode}`}` : '';

/** The telling argument, or the arguments as they are. */
function about(exchange: ToolExchange, quote: Quote, what: string, names: readonly string[]): string {
  const named = exchange.argument(...names);
  const input = exchange.input.trim();
  const call = named !== null ? `'${quote(named)}'` : input.length > 2 ? quote(input) : 'called';
  return `${call}${ending(exchange)} ${size(exchange, what)}`;
}

function target(exchange: ToolExchange, quote: Quote): string {
  const path = pathOf(exchange);
  return path === null ? 'a file' : pathQuote(path, quote, 90);
}

/** A path, which when it is long keeps its end: that is where the name stands. */
function pathQuote(path: string, quote: Quote, length: number): string {
  const whole = quote(path, path.length);
  return whole.length <= length ? whole : `\u2026${withoutHalfPair(whole.slice(1 - length))}`;
}

function rangeOf(exchange: ToolExchange): string {
  const { shown } = exchange;
  if (shown) return ` lines ${shown[0]} to ${shown[1]}`;
  const { offset, view_range: range, line_number: line, start_line: start } = exchange.args;
  const from = [offset, start, line, Array.isArray(range) ? range[0] : null].find(Number.isInteger);
  return from === undefined ? '' : ` from line ${from as number}`;
}
