import { pathArguments } from '@palimpsest/agents';
import { maxStubLength } from '@palimpsest/core/authoring';
import { commandOf, pathOf } from '../exchange/call-target.ts';
import { isPlaceholder } from '../exchange/result-text.ts';
import type { ToolExchange } from '../exchange/tool-exchange.ts';
import { readExcerptHead } from '../stub/excerpt-head.ts';

/** First and last line number of a range. */
export type Lines = readonly [first: number, last: number];

/** Names of tools that write a whole file. */
const wholeWrite = /^(?:write|create|overwrite)(?:_(?:to_)?(?:file|text_file|file_content))?$/;
const written = /success|created|written|wrote|overwritten|has been updated|^\s*OK\s*$/i;
/** Browser tools whose result is only the current page. */
const snapshot = /(?:^|_)(?:snapshot|screenshot|get_state|clickable_elements)$/;

const paths: ReadonlySet<string> = new Set(pathArguments);

/** What a result proves about earlier results, and what later results may prove about it. */
export interface Fact {
  readonly kind: 'run' | 'snapshot' | 'read' | 'overwrite';
  /** Key of the command, the page, or the file. */
  readonly of: string;
  /** False if the result proves nothing about earlier results and can only become stale itself. */
  readonly proves: boolean;
  /** For a run: true if it ended with exit code 0. False if the exit code is unknown, even if the run succeeded. */
  readonly clean: boolean;
  /** For a read: key of the file and the requested range. Otherwise the same as `of`. */
  readonly range: string;
  /** For a read: the lines in the output, if they are numbered. */
  readonly lines: Lines | null;
}

/** Reads the fact that a result states; `null` if it proves nothing and cannot become stale. */
export function readFact(exchange: ToolExchange): Fact | null {
  if (isReplaced(exchange)) return null;
  const { class: kind, outcome } = exchange;
  const proves = !outcome.failed;
  if (kind === 'command') return factOf('run', runKey(exchange), proves, { clean: outcome.exitCode === 0 });
  if (kind === 'browse') return snapshot.test(exchange.tool) ? factOf('snapshot', snapshotKey(exchange), proves) : null;
  const file = proves && (kind === 'read' || kind === 'write') ? fileKey(exchange) : null;
  if (file === null) return null;
  if (kind === 'write') return overwrites(exchange) ? factOf('overwrite', file, proves) : null;
  const lines = exchange.shown;
  // A short answer without line numbers may be an unknown error message.
  const shows = lines !== null || exchange.text.length > 200;
  return factOf('read', file, shows, { range: rangeKey(file, exchange), lines });
}

function factOf(
  kind: Fact['kind'],
  of: string,
  proves: boolean,
  rest: Partial<Pick<Fact, 'clean' | 'range' | 'lines'>> = {},
): Fact {
  return { kind, of, proves, clean: false, range: of, lines: null, ...rest };
}

function overwrites(exchange: ToolExchange): boolean {
  const { args } = exchange;
  const whole = args.command === 'create' || wholeWrite.test(exchange.tool);
  const content = args.content ?? args.contents ?? args.file_text ?? args.text;
  return (
    whole &&
    typeof content === 'string' &&
    !args.append &&
    args.mode === undefined &&
    written.test(exchange.outcome.output.slice(0, 400))
  );
}

/** Server and absolute path of a file; `null` for a relative path, because its working directory is unknown. */
function fileKey(exchange: ToolExchange): string | null {
  const path = pathOf(exchange);
  if (path === null || !/^(?:[/~\\]|[A-Za-z][\w+.-]*:)/.test(path)) return null;
  return `${exchange.server}\u0000${path}`;
}

/** Key of the file and requested range of a read: any argument may state the range, but for paths and explanations. */
function rangeKey(file: string, { args }: ToolExchange): string {
  const rest = Object.entries(args).filter(([name, value]) => !paths.has(name) && !/ /.test(String(value)));
  return `${file}\u0000${JSON.stringify(rest.sort(([one], [other]) => (one < other ? -1 : 1)))}`;
}

function runKey(exchange: ToolExchange): string {
  return `${exchange.called}\u0000${exchange.argument('workdir', 'cwd', 'directory') ?? ''}\u0000${commandOf(exchange)}`;
}

const snapshotKey = (exchange: ToolExchange): string => `${exchange.called}\u0000${exchange.input}`;

/** True if a result no longer has its original text: a stub, an excerpt, or another system's placeholder. */
function isReplaced({ text, called }: ToolExchange): boolean {
  const isStub = text.length <= maxStubLength && text.startsWith(`[${called}] `);
  return isStub || isPlaceholder(text) || readExcerptHead(text) !== null;
}
