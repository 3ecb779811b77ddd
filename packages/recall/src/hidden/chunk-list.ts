import type { Chunk } from './rows.ts';

/** Numbers stored per chunk: its entry, start, end and first row. */
const stride = 4;

/** The chunks of an index by number, stored without one object per chunk. */
export class ChunkList {
  #numbers: Int32Array = new Int32Array(64 * stride);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Size in bytes. */
  get bytes(): number {
    return this.#numbers.byteLength;
  }

  add(entry: number, { from, to, row }: Chunk): void {
    const at = this.#length++ * stride;
    if (at >= this.#numbers.length) {
      const larger = new Int32Array(Math.ceil((at * 1.25) / stride) * stride + stride);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[at] = entry;
    this.#numbers[at + 1] = from;
    this.#numbers[at + 2] = to;
    this.#numbers[at + 3] = row;
  }

  /** Number of the entry that a chunk belongs to. */
  entry(chunk: number): number {
    return this.#numbers[chunk * stride]!;
  }

  chunk(chunk: number): Chunk {
    const [, from, to, row] = this.#numbers.subarray(chunk * stride, (chunk + 1) * stride);
    return { from: from!, to: to!, row: row! };
  }
}
