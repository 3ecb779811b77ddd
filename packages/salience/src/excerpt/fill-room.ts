/** Items in a row without room after which hardly any other item will fit. */
const patience = 300;

/**
 * Offers items, best first, until many in a row did not fit.
 * @param take returns false if there was no room for the item
 */
export function fillRoom<Item>(items: Iterable<Item>, take: (item: Item) => boolean): void {
  let misses = 0;
  for (const item of items) {
    if (take(item)) misses = 0;
    else if (++misses > patience) return;
  }
}
