/** What is counted for each output. Shares are sums over a number of items. */
export const partNames = [
  'used',
  'facts',
  'verbatim',
  'files',
  'userLog',
  'verdicts',
  'conclusions',
  'todos',
  'commands',
  'chain',
  'once',
  'recall',
  'openai',
  'anthropic',
  'strict',
  'request',
  'canaryRules',
  'canaryFacts',
  'dollars',
  'judge',
] as const;

export type PartName = (typeof partNames)[number];

/** A sum, and the number of items it is over. */
interface Part {
  readonly sum: number;
  readonly count: number;
}

const nothing: Part = { sum: 0, count: 0 };

/** Sums over the outputs of one compactor at one budget on one transcript. */
export class Tally {
  readonly #parts = new Map<PartName, Part>();

  /** Adds a sum over items. `NaN` and 0 items add nothing. */
  add(name: PartName, sum: number, count = 1): void {
    if (Number.isNaN(sum) || count === 0) return;
    const known = this.of(name);
    this.#parts.set(name, { sum: known.sum + sum, count: known.count + count });
  }

  of(name: PartName): Part {
    return this.#parts.get(name) ?? nothing;
  }
}
