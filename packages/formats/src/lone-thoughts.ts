/** How a dialect identifies the items of an answer. */
export interface ItemReader<Item> {
  readonly isThought: (item: Item) => boolean;
  /** A key that survives an edit: the id of the item, or the item itself if it has no id. */
  readonly keyOf: (item: Item) => unknown;
}

/**
 * Removes thoughts whose following item was removed by an edit. OpenAI rejects a reasoning item "without its required
 * following item", which is the next item that is not a thought.
 */
export function withoutLoneThoughts<Item>(
  before: readonly Item[],
  after: readonly Item[],
  { isThought, keyOf }: ItemReader<Item>,
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
