import type { ToolClass } from '@palimpsest/agents';
import { PalimpsestError } from '@palimpsest/core';
import { commandOf, pathOf } from '../exchange/call-target.ts';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import { formatCount } from '../format-count.ts';
import { withoutHalfPair } from '../salience/text/cut.ts';
import { countLines, matchCount } from './match-count.ts';
import type { Quote } from './quote.ts';

/** Describes a call and its outcome, based only on the call and the result. */
type Writer = (exchange: ToolExchange, quote: Quote) => string;

/**
 * Describes a call and its outcome, for the stub of its result.
 * @throws {PalimpsestError} `OPTION_INVALID` if a descriptor assigns a class that does not exist
 */
export function describeCall(exchange: ToolExchange, quote: Quote): string {
  const { class: kind, called } = exchange;
  if (Object.hasOwn(writers, kind)) return writers[kind](exchange, quote);
  throw new PalimpsestError(
    'OPTION_INVALID',
    `The tool descriptor for ${JSON.stringify(called)} has the class ${JSON.stringify(kind)}; expected one of ${Object.keys(writers).join(', ')}.`,
    { issues: [{ path: ['tools'], message: 'expected a tool class' }] },
  );
}

const writers: Readonly<Record<ToolClass, Writer>> = {
  command: (exchange, quote) => {
    const { exitCode, output, failed } = exchange.outcome;
    const lines = countLines(output);
    const size = lines === 0 ? 'no output' : `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'} output, removed`;
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
    // Without a pattern, only a listing tool is known to have listed something.
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

/** States the size of the removed result. Text after it then reads as a quotation. */
const size = ({ text }: ToolExchange, what = ''): string => `(${formatCount(text.length)} chars${what}, removed)`;

/** The address in a list item: the item itself, or one of its fields. */
function addressOf(given: unknown): string {
  if (typeof given === 'string') return given;
  const { url, uri, link, href } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const address = [url, uri, link, href].find((one) => typeof one === 'string');
  return (address as string | undefined) ?? JSON.stringify(given) ?? '';
}

const writtenNames = ['content', 'contents', 'file_text', 'new_string', 'new_str', 'newString', 'insert_text'] as const;

/** The size of a change, if the call shows it: characters of the new text, or lines of a patch. */
function changeSize(exchange: ToolExchange): string {
  const written = exchange.argument(...writtenNames);
  if (written !== null) return `, ${formatCount(written.length)} ${written.length === 1 ? 'char' : 'chars'} written`;
  const patch = exchange.argument('input', 'patch', 'diff') ?? exchange.input;
  if (!/^(?:\*\*\* Begin Patch|--- |diff --git |@@ )/m.test(patch.slice(0, 2_000))) return '';
  const lines = (mark: string): number => {
    let found = 0;
    for (let at = patch.indexOf(`\n${mark}`); at >= 0; at = patch.indexOf(`\n${mark}`, at + 1))
      if (!patch.startsWith(mark.repeat(3), at + 1)) found++;
    return found;
  };
  return `, +${formatCount(lines('+'))} -${formatCount(lines('-'))} lines`;
}

const ending = ({ outcome }: ToolExchange): string =>
  outcome.failed ? ` -> ${outcome.exitCode === null ? 'error' : `exit ${outcome.exitCode}`}` : '';

/** Describes a call by the first of the named arguments that is present, or else by its whole input. */
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

/** Quotes a path. A long one keeps its end, where the file name is. */
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
