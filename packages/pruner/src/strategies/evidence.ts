import type { Fact, Lines } from './fact.ts';

/** Maximum number of line ranges per file. Enough for real sessions, and keeps the search linear. */
const rangesPerFile = 16;

/** Collects what results prove about earlier results. Facts are added from the end of a transcript to its start. */
export class Evidence {
  /** Ranges of files that were read again successfully. */
  readonly #reads = new Set<string>();
  /** Line ranges shown by later reads, by file. */
  readonly #shown = new Map<string, Lines[]>();
  readonly #overwritten = new Set<string>();
  /** Later runs by command: true if one ended with exit code 0, false if none did but one showed no failure. */
  readonly #runs = new Map<string, boolean>();
  readonly #snapshots = new Set<string>();

  /**
   * Adds a fact as evidence about the results before it.
   * @returns in a few words why the fact's own result is stale; `null` if it is not
   */
  add(fact: Fact): string | null {
    if (fact.kind === 'run') return this.#addRun(fact);
    if (fact.kind === 'read') return this.#addRead(fact);
    if (fact.kind === 'snapshot') return noteRange(this.#snapshots, fact) ? 'a newer one was taken later' : null;
    if (fact.proves) this.#overwritten.add(fact.of);
    return null;
  }

  #addRun({ of, proves, clean }: Fact): string | null {
    if (proves) {
      if (clean || !this.#runs.has(of)) this.#runs.set(of, clean);
      return null;
    }
    const later = this.#runs.get(of);
    if (later === undefined) return null;
    return later ? 'the same command succeeded later' : 'the same command ran again later';
  }

  #addRead(fact: Fact): string | null {
    const { of, proves, lines } = fact;
    const shown = lines === null ? undefined : this.#shown.get(of);
    const again =
      noteRange(this.#reads, fact) ||
      (lines !== null && shown?.some(([first, last]) => first <= lines[0] && lines[1] <= last) === true);
    if (proves && lines !== null) {
      if (!shown) this.#shown.set(of, [lines]);
      else if (shown.length < rangesPerFile) shown.push(lines);
    }
    if (this.#overwritten.has(of)) return 'the file was overwritten later';
    return again ? 'read again later' : null;
  }
}

/** Adds the range of a fact that proves something. @returns true if the range was already known */
function noteRange(ranges: Set<string>, { range, proves }: Fact): boolean {
  const isKnown = ranges.has(range);
  if (proves) ranges.add(range);
  return isKnown;
}
