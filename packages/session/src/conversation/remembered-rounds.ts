import { maskJson } from '@palimpsest/core/authoring';
import type { Body, Wire } from '@palimpsest/formats/wire';
import { OfferedTools } from './offered-tools.ts';
import { isHarmless, type RememberedRound, readRememberedRound } from './remembered-round.ts';

/** Maximum number of rounds that are remembered. */
const maxRounds = 1_000;
/** Maximum length of all stored rounds together, in characters of JSON. The newest are stored. */
const maxStoredCharacters = 1_000_000;

/**
 * Remembers the calls that were answered inside a fetch, and puts them back into each request, because the SDK does not
 * know them. A reply that the host changed or moved gets none: the conversation is valid without them.
 */
export class RememberedRounds {
  readonly tools: OfferedTools = new OfferedTools();
  readonly #rounds: Map<string, RememberedRound> = new Map();
  /** Joined messages, so that they are the same objects every turn. */
  readonly #joined: WeakMap<Body, { readonly round: RememberedRound; readonly message: Body }> = new WeakMap();

  /** Rounds from a store, until they are checked. */
  readonly #unchecked: Set<RememberedRound> = new Set();
  /** Length of the JSON of a round that can be stored; 0 for one with a secret. */
  readonly #stored: WeakMap<RememberedRound, number> = new WeakMap();

  add(round: RememberedRound): void {
    const id = `${round.place} ${round.format} ${round.key}`;
    this.#rounds.delete(id);
    this.#rounds.set(id, round);
    if (this.#rounds.size > maxRounds) this.#rounds.delete(this.#rounds.keys().next().value!);
  }

  clear(): void {
    this.#rounds.clear();
    this.#unchecked.clear();
    this.tools.clear();
  }

  /** The rounds to store, oldest first. Without those that contain a secret. */
  toStored(redact: (text: string) => string): readonly RememberedRound[] {
    const stored: RememberedRound[] = [];
    let length = 0;
    for (const round of [...this.#rounds.values()].reverse()) {
      const own = this.#lengthOf(round, redact);
      length += own;
      if (length > maxStoredCharacters) break;
      if (own > 0) stored.push(round);
    }
    return stored.reverse();
  }

  restore(stored: unknown): void {
    this.clear();
    for (const value of Array.isArray(stored) ? (stored as unknown[]) : []) {
      const round = readRememberedRound(value);
      if (!round) continue;
      this.add(round);
      this.#unchecked.add(round);
    }
  }

  /** Returns the list itself when it has no reply with answered calls. */
  apply(wire: Wire, list: readonly Body[]): readonly Body[] {
    if (this.#rounds.size === 0) return list;
    const { answers } = wire;
    const answered = answers.answersIn(list);
    const keys = answered.map(([from, to]) => answers.keyOf(list.slice(from, to)));
    this.#check(wire);
    const find = this.#finder(wire, keys);
    const output: Body[] = [];
    let done = 0;
    answered.forEach(([from, to], place) => {
      const round = find(place);
      if (!round || from < done) return;
      output.push(...list.slice(done, from), ...round.items);
      done = to;
      if (round.results.length === 0) return;
      const next = this.#join(wire, round, list[to]);
      if (next) done++;
      output.push(...(next ? [next] : round.results));
    });
    return done === 0 ? list : [...output, ...list.slice(done)];
  }

  #check(wire: Wire): void {
    for (const [id, round] of this.#rounds) {
      if (round.format !== wire.name || !this.#unchecked.delete(round)) continue;
      if (!isHarmless(round, wire)) this.#rounds.delete(id);
    }
  }

  #lengthOf(round: RememberedRound, redact: (text: string) => string): number {
    const known = this.#stored.get(round);
    if (known !== undefined) return known;
    const length = maskJson(round, redact) === round ? JSON.stringify(round).length : 0;
    this.#stored.set(round, length);
    return length;
  }

  /** A reply is found at its place, or anywhere if no other one is like it. */
  #finder({ name }: Wire, keys: readonly string[]): (place: number) => RememberedRound | undefined {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const byKey = new Map<string, RememberedRound[]>();
    for (const round of this.#rounds.values())
      if (round.format === name) {
        const alike = byKey.get(round.key);
        if (alike) alike.push(round);
        else byKey.set(round.key, [round]);
      }
    return (place) => {
      const key = keys[place]!;
      const alike = byKey.get(key) ?? [];
      const exact = alike.find((round) => round.place === place);
      return exact ?? (alike.length === 1 && counts.get(key) === 1 ? alike[0] : undefined);
    };
  }

  #join({ answers }: Wire, round: RememberedRound, next: Body | undefined): Body | null {
    const known = next && this.#joined.get(next);
    if (known?.round === round) return known.message;
    const message = answers.joinResults?.(round.results, next) ?? null;
    if (next && message) this.#joined.set(next, { round, message });
    return message;
  }
}
