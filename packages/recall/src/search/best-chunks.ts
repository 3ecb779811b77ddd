/** Number of chunks kept. An answer shows fewer: it leaves out repetitions and further chunks of one text. */
const maxChunks = 64;

interface Ranked {
  readonly chunk: number;
  readonly score: number;
  readonly age: number;
}

/** Collects the best chunks of a search without sorting all of them. */
export class BestChunks {
  readonly #ranked: Ranked[] = [];

  get chunks(): readonly number[] {
    return this.#ranked.map(({ chunk }) => chunk);
  }

  /** @param age a higher number is newer. Among chunks with similar scores, the newest is first */
  add(chunk: number, score: number, age: number): void {
    const ranked = this.#ranked;
    const added = { chunk, score: Math.round(score * 10), age };
    if (ranked.length === maxChunks && !isBefore(added, ranked[maxChunks - 1]!)) return;
    let at = ranked.length;
    while (at > 0 && isBefore(added, ranked[at - 1]!)) at--;
    ranked.splice(at, 0, added);
    if (ranked.length > maxChunks) ranked.pop();
  }
}

function isBefore(one: Ranked, other: Ranked): boolean {
  return one.score !== other.score ? one.score > other.score : one.age > other.age;
}
