import type { ToolClass } from '@palimpsest/agents';
import { shownLines } from '../read/shown-lines.ts';
import { endsInFailure, failureLines } from './command-failures.ts';
import { linesFrom, linesUpTo } from './line-walk.ts';

/** What a tool returned, and how its call ended. */
export interface ToolOutput {
  /** The output itself, without JSON or a frame around it. */
  readonly output: string;
  /** The exit code the result states; `null` if it states none. */
  readonly exitCode: number | null;
  /** True if the result states a failure. */
  readonly failed: boolean;
  /** An error text separate from the output, or `null`. */
  readonly error: string | null;
}

const gutter = /^\s{0,8}\d{1,7}(?:\u2192|\t|\||: ?)\s*/;

/**
 * Selects whole lines to quote from a tool's output: the error of a failure, the failing tests or the end of a command's
 * output, or the beginning of anything else. Joins them on one line; `''` if nothing is worth quoting.
 * @param room maximum characters
 */
export function quoteOutput(kind: ToolClass, result: ToolOutput, room: number): string {
  const { failed, exitCode, error, output } = result;
  if (kind === 'command' && (failed || (exitCode === null && endsInFailure(output)))) {
    const lines = failureLines(output, room);
    if (lines.length > 0) return lines.join(' | ');
  }
  if (failed) return error ?? errorLine(output) ?? '';
  if (kind === 'command') return linesUpTo(output, room, null).join(' ');
  if (kind === 'write') return linesUpTo(output, room, gutter).join(' ');
  const isNumbered = kind === 'read' && shownLines(output) !== null;
  return linesFrom(output, room, isNumbered ? gutter : null).join(' ');
}

const strongError =
  /^(?:E {2,8}|[^\n]{0,60}?(?:\b[A-Z]\w{0,40}(?:Error|Exception)\b|\berror(?:\[\w{1,12}\])?:|\bfatal:|\bFAILED\b|\bpanicked at\b))[^\n]*/m;
const weakError = /error|fail|fatal|exception|denied|not found|no such|cannot|can't|unable|invalid/i;

/** Returns the line that states the error, or else the last line; `null` if there is nothing to quote. */
function errorLine(output: string): string | null {
  const [head, tail] = [output.slice(0, 8_000), output.slice(-8_000)];
  // The last line of a Python traceback names the error.
  const traceback = /^Traceback /m.test(head) || /^Traceback /m.test(tail);
  const last = linesUpTo(tail, traceback ? 1 : 4_000, null);
  if (last.length === 0) return null;
  const strong = traceback ? null : (strongError.exec(head) ?? strongError.exec(tail));
  if (strong)
    return withNext(strong[0].trim(), linesFrom(strong.input.slice(strong.index, strong.index + 800), 800, null));
  const weak = traceback ? -1 : last.findLastIndex((line) => weakError.test(line));
  return weak < 0 ? last.at(-1)! : withNext(last[weak]!, last.slice(weak));
}

/** Adds the next line to a heading such as `ERROR:`. */
function withNext(line: string, [, next]: readonly string[]): string {
  return line.endsWith(':') && next !== undefined ? `${line} ${next}` : line;
}
