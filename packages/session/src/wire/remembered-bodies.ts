import { dequal } from 'dequal';

interface Remembered {
  items: readonly unknown[];
}

/** Conversations that may take turns on one client: the agent's, and a few short ones beside it. */
const most = 3;

/**
 * Gives what a body repeats of an earlier one the objects of that one. A body is parsed anew each call; all that is
 * known of its messages (what they decode to, how many tokens they are) is known of objects.
 */
export class RememberedBodies {
  /** Newest first. */
  #bodies: readonly Remembered[] = [];

  /** @param items the messages of a body, as they were parsed */
  recall(items: readonly unknown[]): readonly unknown[] {
    const body = this.#bodies.find((known) => isSameBeginning(known.items, items)) ?? { items: [] };
    const recalled = items.map((item, at) => {
      const before = body.items[at];
      return before !== undefined && dequal(before, item) ? before : item;
    });
    body.items = recalled;
    this.#bodies = [body, ...this.#bodies.filter((known) => known !== body)].slice(0, most);
    return recalled;
  }
}

/** By the second message where there are two: all conversations of one agent begin with the same system prompt. */
function isSameBeginning(known: readonly unknown[], items: readonly unknown[]): boolean {
  const at = Math.min(1, known.length - 1, items.length - 1);
  return at >= 0 && dequal(known[at], items[at]);
}
