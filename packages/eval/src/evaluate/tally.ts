import type { MeasureName } from './measure-list.ts';

/** A sum, and the number of items it is over. */
interface Part {
  readonly sum: number;
  readonly count: number;
}

const nothing: Part = { sum: 0, count: 0 };

/** Sums over the outputs of one compactor at one budget on one transcript. */
export class Tally {
  readonly #parts = new Map<MeasureName, Part>();

  /** Adds a sum over items. `NaN` and 0 items add nothing. */
  add(name: MeasureName, sum: number, count = 1): void {
    if (Number.isNaN(sum) || count === 0) return;
    const known = this.of(name);
    this.#parts.set(name, { sum: known.sum + sum, count: known.count + count });
  }

  of(name: MeasureName): Part {
    return this.#parts.get(name) ?? nothing;
  }
}
