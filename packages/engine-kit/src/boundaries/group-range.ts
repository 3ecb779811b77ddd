/** A half-open range of groups: `[from, to)`. */
export type GroupRange = readonly [from: number, to: number];
