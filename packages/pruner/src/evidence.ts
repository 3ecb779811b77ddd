import type { Fact, Lines } from './fact.ts';

/** Line ranges remembered per file: enough for real sessions, and it keeps the search linear. */
const rememberedRanges = 16;

/** What later results prove about earlier ones, gathered from the end of a transcript backwards. */
export class Evidence {
  /** By file and requested range: read again with success. */
  readonly #reads = new Set<string>();
  /** By file: the lines later reads are seen to show. */
  readonly #shown = new Map<string, Lines[]>();
  readonly #overwritten = new Set<string>();
  /** By command: true when it ended with exit 0, false when it merely did not fail. */
  readonly #runs = new Map<string, boolean>();
  readonly #snapshots = new Set<string>();

  /**
   * Takes a fact as evidence against the results before it.
   * @returns what came later that makes its own result stale, in a few words; `null` when nothing provably does
   */
  add(fact: Fact): string | null {
    if (fact.kind === 'run') return this.#addRun(fact);
    if (fact.kind === 'read') return this.#addRead(fact);
    if (fact.kind === 'snapshot') return note(this.#snapshots, fact) ? 'a newer one was taken later' : null;
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
      note(this.#reads, fact) ||
      (lines !== null && shown?.some(([first, last]) => first <= lines[0] && lines[1] <= last) === true);
    if (proves && lines !== null) {
      if (!shown) this.#shown.set(of, [lines]);
      else if (shown.length < rememberedRanges) shown.push(lines);
    }
    if (this.#overwritten.has(of)) return 'the file was overwritten later';
    return again ? 'read again later' : null;
  }
}

/** Notes what a fact is about, if it proves anything. @returns whether a later one was noted that is about the same */
function note(keys: Set<string>, { range, proves }: Fact): boolean {
  if (!proves) return keys.has(range);
  const { size } = keys;
  return keys.add(range).size === size;
}
