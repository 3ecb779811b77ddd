import { commandOf, pathOf } from './call-target.ts';
import type { ToolExchange } from './exchange.ts';
import { isStandIn } from './placeholder.ts';

type Lines = readonly [first: number, last: number];

/** Line ranges remembered per file: enough for real sessions, and it keeps the search linear. */
const rememberedRanges = 16;

/** Tools that write a whole file, by the tool's own name. */
const wholeWrite = /^(?:write|create|overwrite)(?:_(?:to_)?(?:file|text_file|file_content))?$/;
const written = /success|created|written|wrote|overwritten|has been updated|^\s*OK\s*$/i;
/** Browser tools whose result is the page as it is, and nothing but that. */
const snapshot = /(?:^|_)(?:snapshot|screenshot|get_state|clickable_elements)$/;

/**
 * What later results prove about earlier ones, gathered from the end of a transcript backwards. Files are told apart by
 * absolute path and server: what a relative path means depends on a working directory nobody recorded.
 */
export class Evidence {
  /** By file and requested range: read again with success. */
  readonly #reads = new Set<string>();
  /** By file: the lines later reads are seen to show. */
  readonly #shown = new Map<string, Lines[]>();
  readonly #overwritten = new Set<string>();
  /** By command: true when it ended with exit 0, false when it merely did not fail. */
  readonly #runs = new Map<string, boolean>();
  readonly #snapshots = new Set<string>();

  /** What came later that makes this result stale, in a few words; `null` when nothing provably does. */
  against(exchange: ToolExchange): string | null {
    if (isStandIn(exchange)) return null;
    if (exchange.class === 'command' && exchange.outcome.failed) {
      const clean = this.#runs.get(runKey(exchange));
      return clean === undefined
        ? null
        : clean
          ? 'the same command succeeded later'
          : 'the same command ran again later';
    }
    if (exchange.class === 'browse' && snapshot.test(exchange.tool))
      return this.#snapshots.has(snapshotKey(exchange)) ? 'a newer one was taken later' : null;
    const file = exchange.class === 'read' && !exchange.outcome.failed ? fileKey(exchange) : null;
    if (file === null) return null;
    if (this.#overwritten.has(file)) return 'the file was overwritten later';
    if (this.#reads.has(rangeKey(file, exchange))) return 'read again later';
    const lines = exchange.shown;
    const again = lines && this.#shown.get(file)?.some(([first, last]) => first <= lines[0] && lines[1] <= last);
    return again ? 'read again later' : null;
  }

  /** Takes a result as evidence against the ones before it. */
  add(exchange: ToolExchange): void {
    if (isStandIn(exchange)) return;
    if (exchange.class === 'command') {
      if (!exchange.outcome.failed) {
        const key = runKey(exchange);
        this.#runs.set(key, this.#runs.get(key) === true || exchange.outcome.exitCode === 0);
      }
      return;
    }
    if (exchange.class === 'browse') {
      if (snapshot.test(exchange.tool) && !exchange.outcome.failed) this.#snapshots.add(snapshotKey(exchange));
      return;
    }
    const file = exchange.class === 'read' || exchange.class === 'write' ? fileKey(exchange) : null;
    if (file === null || exchange.outcome.failed) return;
    if (exchange.class === 'write') {
      if (overwrites(exchange)) this.#overwritten.add(file);
      return;
    }
    const lines = exchange.shown;
    // A short unnumbered answer may be a refusal in words nobody foresaw.
    if (!lines && exchange.text.length <= 200) return;
    this.#reads.add(rangeKey(file, exchange));
    const known = this.#shown.get(file);
    if (!lines) return;
    if (!known) this.#shown.set(file, [lines]);
    else if (known.length < rememberedRanges) known.push(lines);
  }
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
