import type { ToolExchange } from '../exchange/tool-exchange.ts';
import { formatCount } from '../format-count.ts';

/**
 * Returns the number of matches in a search result, such as `12 matches`; the number of lines if matches cannot be
 * counted.
 */
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
  const numbered = countNumberedLines(exchange, output);
  if (numbered > 0) return plural(numbered, 'match');
  if (/glob|find/.test(exchange.tool)) return plural(pathLines(output), 'match');
  return plural(countLines(output), 'line');
}

/**
 * Counts the matches of `grep -n`. If there are context lines, matches can be recognized only in the output for a
 * single file.
 */
function countNumberedLines({ args }: ToolExchange, output: string): number {
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
      if (colon < end && colon > start && colon - start <= maxFileLength && isNumber(output, colon + 1)) matches++;
    }
  }
  return matches;
}

/** Maximum length of a file name to look for, in characters. */
const maxFileLength = 400;

/** True if up to seven digits and a colon start at `at`. */
function isNumber(output: string, at: number): boolean {
  let end = at;
  for (let code = output.charCodeAt(end); code >= 48 && code <= 57; code = output.charCodeAt(end)) end++;
  return end > at && end - at <= 7 && output.charCodeAt(end) === 58;
}

/** Counts the lines that name a file: those that are neither blank nor a remark in brackets. */
const pathLines = (output: string): number => output.match(/^[^\s([][^\n]*$/gm)?.length ?? 0;

function plural(number: number, what: 'match' | 'line'): string {
  return `${formatCount(number)} ${number === 1 ? what : what === 'match' ? 'matches' : 'lines'}`;
}

/** Counts the lines of an output. A line break at the end does not start another line. */
export function countLines(output: string): number {
  let end = output.length;
  if (output.charCodeAt(end - 1) === 10) end--;
  if (end <= 0) return 0;
  let lines = 1;
  for (let at = output.indexOf('\n'); at >= 0 && at < end; at = output.indexOf('\n', at + 1)) lines++;
  return lines;
}
