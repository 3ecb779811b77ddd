import type { ToolExchange } from './exchange.ts';
import { countLines } from './outcome.ts';
import { count } from './quote.ts';

/** How many matches a search result reports, in words; lines where it does not say and matches cannot be told apart. */
export function matchCount(exchange: ToolExchange): string {
  const { output, data } = exchange.outcome;
  const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
  const list = Array.isArray(data) ? data : [fields.matches, fields.files, fields.results].find(Array.isArray);
  const totals = [fields.total_count, fields.totalCount, fields.total, fields.count, fields.numMatches, list?.length];
  const total = totals.find(Number.isInteger) as number | undefined;
  if (total !== undefined) return plural(total, 'match');
  const opening = output.slice(0, 400);
  const said =
    opening.includes('Found ') && /^\s{0,8}Found (\d[\d,]{0,8}) (match(?:es)?|files?|results?|total)\b/m.exec(opening);
  if (said) return `${said[1]} ${said[2] === 'total' ? 'matches' : said[2]}`;
  if (/^\s{0,8}No (?:matches|files|results)(?: were)? found/i.test(output)) return '0 matches';
  const numbered = numberedLines(exchange, output);
  if (numbered > 0) return plural(numbered, 'match');
  if (/glob|find/.test(exchange.tool)) return plural(pathLines(output), 'match');
  return plural(countLines(output), 'line');
}

/** Matches of `grep -n`; with context around them only where the lines between cannot be mistaken for matches. */
function numberedLines({ args }: ToolExchange, output: string): number {
  const context = ['-A', '-B', '-C', 'context', 'before', 'after', 'context_lines'].some(
    (name) => Number(args[name]) > 0,
  );
  const ofOneFile = context || (output.includes('--') && /^--$/m.test(output));
  let matches = 0;
  let colon = -1;
  for (let start = 0, end = 0; start < output.length; start = end + 1) {
    end = output.indexOf('\n', start);
    if (end < 0) end = output.length;
    if (isNumber(output, start)) matches++;
    else if (!ofOneFile) {
      if (colon < start) colon = (output.indexOf(':', start) + 1 || Number.POSITIVE_INFINITY) - 1;
      if (colon < end && colon > start && colon - start <= longestFile && isNumber(output, colon + 1)) matches++;
    }
  }
  return matches;
}

/** Names of files are shorter than this. */
const longestFile = 400;

/** True when up to seven digits and a colon begin at `at`. */
function isNumber(output: string, at: number): boolean {
  let end = at;
  for (let code = output.charCodeAt(end); code >= 48 && code <= 57; code = output.charCodeAt(end)) end++;
  return end > at && end - at <= 7 && output.charCodeAt(end) === 58;
}

/** Lines that name a file: all that are not blank and no remark in brackets. */
const pathLines = (output: string): number => output.match(/^[^\s([][^\n]*$/gm)?.length ?? 0;

function plural(number: number, what: 'match' | 'line'): string {
  return `${count(number)} ${number === 1 ? what : what === 'match' ? 'matches' : 'lines'}`;
}
