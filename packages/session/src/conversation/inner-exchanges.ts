import { maskedJson } from '@palimpsest/core/authoring';
import type { Body, Wire } from '@palimpsest/formats/wire';
import { type InnerExchange, isHarmless, readInnerExchange } from './inner-exchange.ts';
import { OfferedTools } from './offered-tools.ts';

/** Maximum number of exchanges that are remembered. */
const most = 1_000;
/** Maximum length of all stored exchanges together, in characters of JSON. The newest are stored. */
const mostStored = 1_000_000;

/**
 * Remembers the calls that were answered inside a fetch, and puts them back into each request, because the SDK does not
 * know them. A reply that the host changed or moved gets none: the conversation is valid without them.
 */
export class InnerExchanges {
  readonly tools: OfferedTools = new OfferedTools();
  readonly #exchanges: Map<string, InnerExchange> = new Map();
  /** Joined messages, so that they are the same objects every turn. */
  readonly #joined: WeakMap<Body, { readonly exchange: InnerExchange; readonly message: Body }> = new WeakMap();

  /** Exchanges from a store, until they are checked. */
  readonly #unchecked: Set<InnerExchange> = new Set();
  /** Length of the JSON of an exchange that can be stored; 0 for one with a secret. */
  readonly #stored: WeakMap<InnerExchange, number> = new WeakMap();

  add(exchange: InnerExchange): void {
    const id = `${exchange.place} ${exchange.format} ${exchange.key}`;
    this.#exchanges.delete(id);
    this.#exchanges.set(id, exchange);
    if (this.#exchanges.size > most) this.#exchanges.delete(this.#exchanges.keys().next().value!);
  }

  clear(): void {
    this.#exchanges.clear();
    this.#unchecked.clear();
    this.tools.clear();
  }

  /** The exchanges to store, oldest first. Without those that contain a secret. */
  stored(redact: (text: string) => string): readonly InnerExchange[] {
    const stored: InnerExchange[] = [];
    let length = 0;
    for (const exchange of [...this.#exchanges.values()].reverse()) {
      const own = this.#lengthOf(exchange, redact);
      length += own;
      if (length > mostStored) break;
      if (own > 0) stored.push(exchange);
    }
    return stored.reverse();
  }

  restore(stored: unknown): void {
    this.clear();
    for (const value of Array.isArray(stored) ? (stored as unknown[]) : []) {
      const exchange = readInnerExchange(value);
      if (!exchange) continue;
      this.add(exchange);
      this.#unchecked.add(exchange);
    }
  }

  /** Returns the list itself when it has no reply with answered calls. */
  apply(wire: Wire, list: readonly Body[]): readonly Body[] {
    if (this.#exchanges.size === 0) return list;
    const { answers } = wire;
    const turns = answers.turnsIn(list);
    const keys = turns.map(([from, to]) => answers.keyOf(list.slice(from, to)));
    this.#check(wire);
    const find = this.#finder(wire, keys);
    const output: Body[] = [];
    let done = 0;
    turns.forEach(([from, to], place) => {
      const exchange = find(place);
      if (!exchange || from < done) return;
      output.push(...list.slice(done, from), ...exchange.items);
      done = to;
      if (exchange.results.length === 0) return;
      const next = this.#join(wire, exchange, list[to]);
      if (next) done++;
      output.push(...(next ? [next] : exchange.results));
    });
    return done === 0 ? list : [...output, ...list.slice(done)];
  }

  #check(wire: Wire): void {
    for (const [id, exchange] of this.#exchanges) {
      if (exchange.format !== wire.name || !this.#unchecked.delete(exchange)) continue;
      if (!isHarmless(exchange, wire)) this.#exchanges.delete(id);
    }
  }

  #lengthOf(exchange: InnerExchange, redact: (text: string) => string): number {
    const known = this.#stored.get(exchange);
    if (known !== undefined) return known;
    const length = maskedJson(exchange, redact) === exchange ? JSON.stringify(exchange).length : 0;
    this.#stored.set(exchange, length);
    return length;
  }

  /** A reply is found at its place, or anywhere if no other one is like it. */
  #finder({ name }: Wire, keys: readonly string[]): (place: number) => InnerExchange | undefined {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const byKey = new Map<string, InnerExchange[]>();
    for (const exchange of this.#exchanges.values())
      if (exchange.format === name) {
        const alike = byKey.get(exchange.key);
        if (alike) alike.push(exchange);
        else byKey.set(exchange.key, [exchange]);
      }
    return (place) => {
      const key = keys[place]!;
      const alike = byKey.get(key) ?? [];
      const exact = alike.find((exchange) => exchange.place === place);
      return exact ?? (alike.length === 1 && counts.get(key) === 1 ? alike[0] : undefined);
    };
  }

  #join({ answers }: Wire, exchange: InnerExchange, next: Body | undefined): Body | null {
    const known = next && this.#joined.get(next);
    if (known?.exchange === exchange) return known.message;
    const message = answers.joinResults?.(exchange.results, next) ?? null;
    if (next && message) this.#joined.set(next, { exchange, message });
    return message;
  }
}
