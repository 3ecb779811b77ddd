import type { ToolClass } from '@palimpsest/agents';
import { readLineRange } from '../read/read-line-range.ts';
import { endsInFailure, failureLines } from './command-failures.ts';

/** Matches progress lines such as `checking for gcc... yes`. One line represents a series. */
const progress = /^(\w{2,20}ing)\b.{0,200}\.{3}/;

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

/** Maximum characters of a file to search for declarations. */
const maxReach = 4_000;

const declaration =
  /^[ \t]*(?:\d{1,7}(?:\u2192|\t|\||: ?)[ \t]*)?((?:(?:export |pub(?:\([a-z]{1,8}\))? |public |private |protected |static |async |default |abstract |final ){0,5}(?:def|class|function|fn|func|struct|enum|interface|type|const|impl|trait|module|namespace)\b|#{1,4} )[^\n]{0,400})/gm;
const gutter = /^\s{0,8}\d{1,7}(?:\u2192|\t|\||: ?)\s*/;

/**
 * Selects whole lines to quote from a tool's output: the error of a failure, the declarations of a file, the failing
 * tests or the end of a command's output, the files of a diff, or the beginning of anything else. Joins them on one
 * line; `''` if nothing is worth quoting.
 * @param room maximum characters
 */
export function quoteOutput(kind: ToolClass, result: ToolOutput, room: number): string {
  if (kind === 'command') return quoteCommand(result, room);
  const { failed, error, output } = result;
  if (failed) return error ?? errorLine(output) ?? '';
  if (kind === 'write') return lastLines(output, room, gutter);
  const declarations = kind === 'read' ? quoteDeclarations(output.slice(0, maxReach), room) : '';
  if (declarations !== '') return declarations;
  const isNumbered = kind === 'read' && readLineRange(output) !== null;
  return linesFrom(output, room, isNumbered ? gutter : null).join(' ');
}

/** Quotes the failures if the command or its output reports any; else the files of a diff or the last lines. */
function quoteCommand({ failed, exitCode, error, output }: ToolOutput, room: number): string {
  if (failed || (exitCode === null && endsInFailure(output))) {
    const lines = failureLines(output, room);
    if (lines.length > 0) return lines.join(' | ');
    if (failed) return error ?? errorLine(output) ?? '';
  }
  return diffSummary(output) ?? lastLines(output, room, null);
}

/** Returns the end of an output, without repeated lines. */
function lastLines(output: string, room: number, numbers: RegExp | null): string {
  const lines = linesUpTo(output, room, numbers);
  const different = withoutRepeats(lines);
  const whole = different.length === lines.length;
  return (whole ? lines : newest(withoutRepeats(linesUpTo(output, 4_000, numbers)), room)).join(' ');
}

/** Returns the last lines that fit into the room, but at least one. */
function newest(lines: readonly string[], room: number): readonly string[] {
  let left = room;
  const from = lines.findLastIndex((line, index) => {
    left -= line.length + 1;
    return left < 0 && index < lines.length - 1;
  });
  return lines.slice(from + 1);
}

/** Returns the first declarations of a source file, or headings of a document, as many as fit. */
function quoteDeclarations(source: string, room: number): string {
  let text = '';
  declaration.lastIndex = 0;
  for (let found = declaration.exec(source); found; found = declaration.exec(source)) {
    const next = text === '' ? found[1]!.trim() : `${text} ${found[1]!.trim()}`;
    if (text !== '' && next.length > room) break;
    text = next;
  }
  return text;
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

/** Collapses consecutive repeated lines into the last one, marked `(repeated)`. */
function withoutRepeats(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let kind: string | null = null;
  for (const line of lines) {
    const now = progress.exec(line)?.[1] ?? line;
    if (now === kind) kept[kept.length - 1] = `${line} (repeated)`;
    else kept.push(line);
    kind = now;
  }
  return kept;
}

/** Summarizes a `git diff`: each file with its numbers of added and removed lines; `null` for any other output. */
function diffSummary(output: string): string | null {
  if (!/^diff --git /m.test(output.slice(0, 2_000))) return null;
  const files: string[] = [];
  let file = '';
  let [added, removed] = [0, 0];
  const close = (): void => {
    if (file !== '') files.push(`${file} +${added} -${removed}`);
    [added, removed] = [0, 0];
  };
  for (let at = 0; at < output.length; ) {
    const next = output.indexOf('\n', at);
    const end = next < 0 ? output.length : next;
    const code = output.charCodeAt(at);
    if (code === 100 && output.startsWith('diff --git ', at)) {
      close();
      file = / b\/(.{1,300})$/.exec(output.slice(at, Math.min(end, at + 700)))?.[1] ?? 'a file';
    } else if (code === 43 && !output.startsWith('+++ ', at)) added++;
    else if (code === 45 && !output.startsWith('--- ', at)) removed++;
    at = end + 1;
  }
  close();
  return files.join(', ');
}

/**
 * Matches encoded data, which is never quoted: a redaction rule that looks for the start of a key would miss its
 * middle.
 */
const encoded = /[A-Za-z0-9+/=]{48}/;

/** Matches lines that a harness adds around a result. They repeat what a stub states anyway. */
const framing =
  /^(?:Found \d[\d,]{0,9} (?:match|file|result|total)|No (?:matches|files) found|Here's the result of running `|<\/?(?:path|type|content|file|entries|output)>|\[File: |\(\d+ more lines |Review the changes and make sure)/;

/** Maximum number of lines to read. */
const maxLines = 60;
/** Maximum characters to read of each line. */
const lineLength = 400;

/** Returns the first lines worth quoting, trimmed: as many as fit, but at least one if there is any. */
function linesFrom(output: string, room: number, gutter: RegExp | null): string[] {
  const found: string[] = [];
  let left = room;
  for (let at = 0, seen = 0; at < output.length && seen < maxLines; seen++) {
    const next = output.indexOf('\n', at);
    const end = next < 0 ? output.length : next;
    const line = quotable(output.slice(at, Math.min(end, at + lineLength)), gutter);
    at = end + 1;
    if (line === null) continue;
    if (found.length > 0 && line.length > left) break;
    found.push(line);
    left -= line.length + 1;
  }
  return found;
}

/** Returns the last lines worth quoting, trimmed and in order: as many as fit, but at least one if there is any. */
function linesUpTo(output: string, room: number, gutter: RegExp | null): string[] {
  const found: string[] = [];
  let left = room;
  for (let end = output.length, seen = 0; end > 0 && seen < maxLines; seen++) {
    const start = output.lastIndexOf('\n', end - 1) + 1;
    const line = quotable(output.slice(start, Math.min(end, start + lineLength)), gutter);
    end = start - 1;
    if (line === null) continue;
    if (found.length > 0 && line.length > left) break;
    found.push(line);
    left -= line.length + 1;
  }
  return found.reverse();
}

/** Returns the line as it would be quoted; `null` if it is not worth quoting. */
function quotable(raw: string, gutter: RegExp | null): string | null {
  const line = (gutter ? raw.replace(gutter, '') : raw).trim();
  return line.length <= 2 || framing.test(line) || (line.length >= 48 && encoded.test(line)) ? null : line;
}
