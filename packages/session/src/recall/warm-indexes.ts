import type { Recall } from '@palimpsest/recall';

/** Sessions of this process whose index stays in memory. A conversation that was searched is soon searched again. */
const mostWarm = 16;

/** Keeps the indexes of the sessions that were searched last, so that memory does not grow with the number of sessions. */
export class WarmIndexes {
  readonly #idle: Set<Pick<Recall, 'update'>> = new Set();

  /** Uses an index. It is not dropped before the work has ended. */
  async use<Result>(recall: Pick<Recall, 'update'>, work: () => Promise<Result>): Promise<Result> {
    this.#idle.delete(recall);
    try {
      return await work();
    } finally {
      this.#idle.add(recall);
      const [oldest] = this.#idle;
      if (this.#idle.size > mostWarm) this.drop(oldest!);
    }
  }

  /** Empties an index, which also frees the history it was made of. */
  drop(recall: Pick<Recall, 'update'>): void {
    this.#idle.delete(recall);
    recall.update([]);
  }
}
