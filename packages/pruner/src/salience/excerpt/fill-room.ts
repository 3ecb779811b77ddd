/** Number of consecutive items without room after which the search stops, because hardly any other item will fit. */
const patience = 300;

/**
 * Passes items, best first, to `take` until many consecutive items did not fit.
 * @param take returns false if the item did not fit
 */
export function fillRoom<Item>(items: Iterable<Item>, take: (item: Item) => boolean): void {
  let misses = 0;
  for (const item of items) {
    if (take(item)) misses = 0;
    else if (++misses > patience) return;
  }
}
