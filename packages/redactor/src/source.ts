import type { Span } from './finding.ts';

/** One text being searched: what matchers share about it, so that no stretch of it is walked twice. */
export class Source {
  readonly text: string;
  readonly codeFile: boolean;
  readonly spans: Span[] = [];
  /** Where the last hit of each command word stands (`curl`, `mysql`), for flags that mean something only after it. */
  readonly commands: Map<string, number> = new Map();
  /** Matchers that guess leave alone what lies before this index. */
  coveredTo = 0;
  readonly #next = new Map<string, number>();
  #runFrom = 0;
  #runTo = -1;

  constructor(text: string, codeFile: boolean) {
    this.text = text;
    this.codeFile = codeFile;
  }

  report(
    kind: string,
    start: number,
    end: number,
    weight: number,
    mask?: ((secret: string) => string) | undefined,
  ): void {
    if (end <= start) return;
    this.spans.push({ kind, start, end, weight, mask });
    if (end > this.coveredTo) this.coveredTo = end;
  }

  /** Index of the next `literal` at or after `from` (ask in rising order), or the text's length. */
  next(literal: string, from: number): number {
    const known = this.#next.get(literal);
    if (known !== undefined && known >= from) return known;
    const found = this.text.indexOf(literal, from);
    const index = found < 0 ? this.text.length : found;
    this.#next.set(literal, index);
    return index;
  }

  /** End of the run of visible characters that holds `from`: no space, quote, backslash, angle bracket or backtick. */
  runEnd(from: number): number {
    if (from >= this.#runFrom && from < this.#runTo) return this.#runTo;
    let index = from;
    while (index < this.text.length && !endsRun(this.text.charCodeAt(index))) index += 1;
    this.#runFrom = from;
    this.#runTo = index;
    return index;
  }
}

function endsRun(code: number): boolean {
  return (
    code <= 32 ||
    code === 34 ||
    code === 39 ||
    code === 96 ||
    code === 92 ||
    code === 60 ||
    code === 62 ||
    code === 0xa0
  );
}
