import { shownLines } from './call-target.ts';
import type { ToolExchange } from './exchange.ts';

/** How much of either end of an output is looked at for something worth quoting, in characters. */
const reach = 4_000;

const declaration =
  /^(?:export |pub(?:\([a-z]{1,8}\))? |public |private |protected |static |async |default |abstract |final )*(?:def|class|function|fn|func|struct|enum|interface|type|const|impl|trait|module|namespace)\b|^#{1,4} /;
const gutter = /^\s{0,8}\d{1,7}(?:\u2192|\t|\||: ?)/;
/** Encoded data says nothing, and the middle of a key block would escape rules that look for its beginning. */
const encoded = /[A-Za-z0-9+/=]{48}/;

/** Lines by which a harness introduces or closes a result, and which only repeat what the stub says already. */
const framing =
  /^(?:Found \d[\d,]* (?:match|file|result|total)|No (?:matches|files) found|Here's the result of running `|<\/?(?:path|type|content|file|entries|output)>|\[File: |\(\d+ more lines |Review the changes and make sure)/;

/**
 * What of a result to quote in the room its stub leaves: the error of a failure, the declarations of a file, the end of a
 * command's output, the beginning of anything else. Whole lines only; `''` when nothing is worth it.
 * @param room characters to fill
 */
export function excerpt(exchange: ToolExchange, room: number): string {
  const { failed, error, output } = exchange.outcome;
  if (failed) return error ?? errorLine(output) ?? '';
  if (exchange.class === 'command' || exchange.class === 'write') {
    const last = lines(output.slice(-reach), output.length > reach);
    const own = exchange.class === 'write' ? last.map((line) => line.replace(gutter, '').trim()) : last;
    return pack(own.reverse(), room).reverse().join(' ');
  }
  const first = lines(output.slice(0, reach), false);
  if (exchange.class !== 'read') return pack(first, room).join(' ');
  const own = shownLines(exchange) ? first.map((line) => line.replace(gutter, '').trim()) : first;
  const declarations = own.filter((line) => declaration.test(line));
  return pack(declarations.length > 0 ? declarations : own, room).join(' ');
}

/** The lines of a stretch, trimmed; a first one that begins in the middle is left out. */
function lines(stretch: string, partial: boolean): string[] {
  return stretch
    .split('\n')
    .slice(partial ? 1 : 0)
    .map((line) => line.trim())
    .filter((line) => line.length > 2 && !encoded.test(line) && !framing.test(line));
}

/** As many lines as fit, and the first in any case. */
function pack(candidates: readonly string[], room: number): string[] {
  let length = 0;
  const count = candidates.findIndex(
    (line, index) => index > 0 && (length += line.length + 1) + candidates[0]!.length > room,
  );
  return candidates.slice(0, count < 0 ? candidates.length : count);
}

const strongError =
  /^(?:E {2,8}|[^\n]{0,60}?(?:\b[A-Z]\w{0,40}(?:Error|Exception)\b|\berror(?:\[\w{1,12}\])?:|\bfatal:|\bFAILED\b|\bpanicked at\b))[^\n]*/m;
const weakError = /error|fail|fatal|exception|denied|not found|no such|cannot|can't|unable|invalid/i;

/** The line of an output that says what went wrong; its last line when none stands out; `null` when it is blank. */
export function errorLine(output: string): string | null {
  const [head, tail] = [output.slice(0, 2 * reach), output.slice(-2 * reach)];
  const last = lines(tail, output.length > tail.length);
  if (last.length === 0) return null;
  // A Python traceback ends on what it is about.
  if (/^Traceback /m.test(head) || /^Traceback /m.test(tail)) return last.at(-1)!;
  const strong = strongError.exec(head) ?? strongError.exec(tail);
  if (strong) return withNext(strong[0].trim(), strong.input.slice(strong.index, strong.index + 600));
  const weak = last.findLastIndex((line) => weakError.test(line));
  return weak < 0 ? last.at(-1)! : withNext(last[weak]!, last.slice(weak, weak + 2).join('\n'));
}

/** A heading such as "ERROR:" says nothing without the line below it. */
function withNext(line: string, context: string): string {
  const next = /:$/.test(line) ? lines(context, true)[0] : undefined;
  return next === undefined ? line : `${line} ${next}`;
}
