import { dequal } from 'dequal';

interface Remembered {
  items: readonly unknown[];
}

/** Number of conversations remembered: the agent's, and a few short ones on the same client. */
const most = 3;

/**
 * Replaces repeated messages of a body with the objects of the earlier body. Every call parses its body again, but
 * decoded messages and token counts are cached per object.
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

/** Compares the second message if there is one, because all conversations of an agent begin with the same system prompt. */
function isSameBeginning(known: readonly unknown[], items: readonly unknown[]): boolean {
  const at = Math.min(1, known.length - 1, items.length - 1);
  return at >= 0 && dequal(known[at], items[at]);
}
