import type { Fact, Lines } from './fact.ts';

/** Line ranges kept per file. Enough for real sessions, and it keeps the search linear. */
const rangesPerFile = 16;

/** Collects what results prove about earlier ones, while walking a transcript from its end to its start. */
export class Evidence {
  /** Ranges of files that were read again successfully. */
  readonly #reads = new Set<string>();
  /** By file: the lines that later reads show. */
  readonly #shown = new Map<string, Lines[]>();
  readonly #overwritten = new Set<string>();
  /** By command: true if a later run ended with exit code 0, false if it merely did not fail. */
  readonly #runs = new Map<string, boolean>();
  readonly #snapshots = new Set<string>();

  /**
   * Adds a fact as evidence about the results before it.
   * @returns what came later that makes the fact's own result stale, in a few words; `null` if nothing does
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

/** Adds the range of a fact that proves something. @returns true if the range was there before */
function noteRange(ranges: Set<string>, { range, proves }: Fact): boolean {
  const isKnown = ranges.has(range);
  if (proves) ranges.add(range);
  return isKnown;
}
