/** How a dialect tells the items of one assistant turn apart. */
export interface TurnItems<Item> {
  readonly isThought: (item: Item) => boolean;
  /** What an item still has after an edit: an id, or itself when it has none. */
  readonly keyOf: (item: Item) => unknown;
}

/**
 * Removes the thoughts whose item an edit removed. OpenAI refuses a reasoning item "without its required following
 * item": it goes with the item it led to, the next one that is no thought.
 */
export function withoutLoneThoughts<Item>(
  before: readonly Item[],
  after: readonly Item[],
  { isThought, keyOf }: TurnItems<Item>,
): readonly Item[] {
  if (!before.some(isThought)) return after;
  const left = new Set(after.filter((item) => !isThought(item)).map(keyOf));
  const lone = new Set<unknown>();
  let next: Item | undefined;
  for (const item of before.toReversed()) {
    if (!isThought(item)) next = item;
    else if (next === undefined || !left.has(keyOf(next))) lone.add(item);
  }
  return lone.size === 0 ? after : after.filter((item) => !lone.has(item));
}
