/** More than an answer can show, because some of them are left out: repetitions, too many of one text. */
const most = 64;

interface Ranked {
  readonly chunk: number;
  readonly score: number;
  readonly age: number;
}

/** Keeps the best chunks of a search, without sorting the rest. */
export class BestChunks {
  readonly #ranked: Ranked[] = [];

  get chunks(): readonly number[] {
    return this.#ranked.map(({ chunk }) => chunk);
  }

  /** @param age a higher number is newer, and first among chunks whose scores differ little */
  add(chunk: number, score: number, age: number): void {
    const ranked = this.#ranked;
    const added = { chunk, score: Math.round(score * 10), age };
    if (ranked.length === most && !isBefore(added, ranked[most - 1]!)) return;
    let at = ranked.length;
    while (at > 0 && isBefore(added, ranked[at - 1]!)) at--;
    ranked.splice(at, 0, added);
    if (ranked.length > most) ranked.pop();
  }
}

function isBefore(one: Ranked, other: Ranked): boolean {
  return one.score !== other.score ? one.score > other.score : one.age > other.age;
}
