import { commandOf, pathOf } from './call-target.ts';
import type { ToolExchange } from './exchange.ts';
import { isStandIn } from './placeholder.ts';

/** Numbers of a range of lines. */
export type Lines = readonly [first: number, last: number];

/** Tools that write a whole file, by the tool's own name. */
const wholeWrite = /^(?:write|create|overwrite)(?:_(?:to_)?(?:file|text_file|file_content))?$/;
const written = /success|created|written|wrote|overwritten|has been updated|^\s*OK\s*$/i;
/** Browser tools whose result is the page as it is, and nothing but that. */
const snapshot = /(?:^|_)(?:snapshot|screenshot|get_state|clickable_elements)$/;

/** What one result proves about earlier ones, and what later ones may prove about it. */
export interface Fact {
  readonly kind: 'run' | 'snapshot' | 'read' | 'overwrite';
  /** The command, the page, or the file. */
  readonly of: string;
  /** False when it is no evidence against others, only open to it. */
  readonly proves: boolean;
  /** Of a run: it ended with exit 0, and did not merely not fail. */
  readonly clean: boolean;
  /** Of a read: the file and the range asked for. Else the same as `of`. */
  readonly range: string;
  /** Of a read: the lines it is seen to show. */
  readonly lines: Lines | null;
}

/** Reads what a result proves; `null` when nothing, and it is nothing that could become stale. */
export function readFact(exchange: ToolExchange): Fact | null {
  if (isStandIn(exchange)) return null;
  const { class: kind, outcome } = exchange;
  const proves = !outcome.failed;
  if (kind === 'command') return factOf('run', runKey(exchange), proves, outcome.exitCode === 0);
  if (kind === 'browse') return snapshot.test(exchange.tool) ? factOf('snapshot', snapshotKey(exchange), proves) : null;
  const file = proves && (kind === 'read' || kind === 'write') ? fileKey(exchange) : null;
  if (file === null) return null;
  if (kind === 'write') return overwrites(exchange) ? factOf('overwrite', file, proves) : null;
  const lines = exchange.shown;
  // A short unnumbered answer may be a refusal in words nobody foresaw.
  const shows = lines !== null || exchange.text.length > 200;
  return factOf('read', file, shows, false, rangeKey(file, exchange), lines);
}

/** Every fact has all of its fields, so that all are of one shape to the engine that reads thousands of them. */
function factOf(
  kind: Fact['kind'],
  of: string,
  proves: boolean,
  clean = false,
  range = of,
  lines: Lines | null = null,
): Fact {
  return { kind, of, proves, clean, range, lines };
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

/**
 * Files are told apart by absolute path and server: what a relative path means depends on a working directory nobody
 * recorded.
 */
function fileKey(exchange: ToolExchange): string | null {
  const path = pathOf(exchange);
  if (path === null || !/^(?:[/~\\]|[A-Za-z][\w+.-]*:)/.test(path)) return null;
  return `${exchange.server}\u0000${path}`;
}

/** The range a read asked for, from whatever arguments it was given in. */
function rangeKey(file: string, { args }: ToolExchange): string {
  const {
    offset,
    limit,
    view_range: range,
    line_number: line,
    start_line: start,
    end_line: end,
    head,
    tail,
    pages,
  } = args;
  return `${file}\u0000${[offset, limit, range, line, start, end, head, tail, pages].join('|')}`;
}

function runKey(exchange: ToolExchange): string {
  return `${exchange.called}\u0000${exchange.argument('workdir', 'cwd', 'directory') ?? ''}\u0000${commandOf(exchange)}`;
}

const snapshotKey = (exchange: ToolExchange): string => `${exchange.called}\u0000${exchange.input}`;
