/** Numbers per slot: two hashes of the term, and its value. */
const stride = 3;
/** Maximum share of used slots. */
const fullest = 0.85;
const growth = 1.15;
const minCapacity = 1024;
const hashes = 2 ** 32;

/**
 * Maps terms to numbers. Stores each term as a 64-bit hash that ignores case, so that reading a text copies nothing. Of
 * 100,000 terms, any two share a slot with a chance of about 1 in 10^9.
 */
export class TermTable {
  #slots: Int32Array;
  #capacity: number;
  #count = 0;
  #first = 0;
  #second = 0;

  /** @param terms expected number of terms */
  constructor(terms = 0) {
    this.#capacity = Math.max(minCapacity, Math.ceil(terms / fullest));
    this.#slots = new Int32Array(this.#capacity * stride);
  }

  /** Size in bytes. */
  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** Returns the slot of the term with the codes in a range, and adds it if it is new. Adding a term may change the slots of others. */
  add(codes: Uint16Array, from: number, to: number): number {
    if (this.#count >= this.#capacity * fullest) this.#grow();
    this.#hash(codes, from, to);
    const slot = this.#place(this.#first, this.#second);
    if (this.#isEmpty(slot)) {
      this.#slots[slot] = this.#first;
      this.#slots[slot + 1] = this.#second;
      this.#count++;
    }
    return slot;
  }

  /** Returns the slot of a term; -1 if no text has it. */
  find(codes: Uint16Array, from: number, to: number): number {
    this.#hash(codes, from, to);
    const slot = this.#place(this.#first, this.#second);
    return this.#isEmpty(slot) ? -1 : slot;
  }

  /** The number of the term in a slot; 0 for a new term. */
  value(slot: number): number {
    return this.#slots[slot + 2]!;
  }

  setValue(slot: number, value: number): void {
    this.#slots[slot + 2] = value;
  }

  /** The slot of a term, or the empty slot for it. */
  #place(first: number, second: number): number {
    const slots = this.#slots;
    // The high bits of a product, because the capacity is not a power of two and a remainder is slow.
    const mixed = Math.imul(first ^ (first >>> 15), 0x9e3779b1) >>> 0;
    for (let at = Math.floor((mixed * this.#capacity) / hashes); ; at = at + 1 === this.#capacity ? 0 : at + 1) {
      const slot = at * stride;
      if (slots[slot] === first && slots[slot + 1] === second) return slot;
      if (this.#isEmpty(slot)) return slot;
    }
  }

  /** `#hash` never gives 0 for the second hash. */
  #isEmpty(slot: number): boolean {
    return this.#slots[slot + 1] === 0;
  }

  #grow(): void {
    const old = this.#slots;
    this.#capacity = Math.ceil(this.#capacity * growth);
    this.#slots = new Int32Array(this.#capacity * stride);
    for (let slot = 0; slot < old.length; slot += stride) {
      if (old[slot + 1] === 0) continue;
      const place = this.#place(old[slot]!, old[slot + 1]!);
      for (let at = 0; at < stride; at++) this.#slots[place + at] = old[slot + at]!;
    }
  }

  #hash(codes: Uint16Array, from: number, to: number): void {
    let first = 0x811c9dc5;
    let second = 0x9747b28c;
    for (let at = from; at < to; at++) {
      let code = codes[at]!;
      if (code >= 65 && code <= 90) code += 32;
      else if (code >= 128) code = withoutCase(code);
      first = Math.imul(first ^ code, 0x01000193);
      second = Math.imul(second + code, 0x5bd1e995);
      second ^= second >>> 13;
    }
    this.#first = first | 0;
    this.#second = second | 0 || 1;
  }
}

const lowerCodes = new Uint16Array(0x10000);

function withoutCase(code: number): number {
  const known = lowerCodes[code]!;
  if (known !== 0) return known;
  const lower = String.fromCharCode(code).toLowerCase();
  return (lowerCodes[code] = lower.length === 1 ? lower.charCodeAt(0) : code);
}
