import type { Body, Wire } from '@palimpsest/formats/wire';
import { OfferedTools } from './offered-tools.ts';
import {
  isHarmless,
  isStoredRound,
  type RememberedRound,
  roundId,
  type StoredRound,
  sealRound,
  textOf,
  unsealRound,
} from './remembered-round.ts';

/** Maximum number of rounds that are remembered. */
const maxRounds = 1_000;
/** Maximum length of all stored rounds together, in characters of JSON. The newest are stored. */
const maxStoredCharacters = 1_000_000;

/** A round, as far as it is known. */
interface KnownRound extends Pick<RememberedRound, 'format' | 'key' | 'place'> {
  /** `null` for a round with a secret that the client's messages do not have. */
  readonly stored: StoredRound | null;
  /** `null` for one from a store, until it is needed. */
  round: RememberedRound | null;
  /** Length of its stored form, in characters of JSON. */
  length?: number;
}

/**
 * Remembers the calls that were answered inside a fetch, and puts them back into each request, because the SDK does not
 * know them. A reply that the host changed or moved gets none: the conversation is valid without them.
 */
export class RememberedRounds {
  readonly tools: OfferedTools = new OfferedTools();
  readonly #redact: (text: string) => string;
  readonly #isShared: boolean;
  readonly #rounds: Map<string, KnownRound> = new Map();
  /** Joined messages, so that they are the same objects every turn. */
  readonly #joined: WeakMap<Body, { readonly round: RememberedRound; readonly message: Body }> = new WeakMap();

  /**
   * @param redact masks secrets
   * @param isShared true if other processes continue the conversation. A round that cannot be stored is not remembered then,
   *   so that all send the same
   */
  constructor(redact: (text: string) => string, isShared: boolean) {
    this.#redact = redact;
    this.#isShared = isShared;
  }

  /** @param given the client's messages before the reply */
  add(round: RememberedRound, given: readonly Body[]): void {
    const stored = sealRound(round, given, this.#redact);
    if (stored || !this.#isShared) this.#add(roundId(round), { ...rest(round), stored, round });
  }

  #add(id: string, known: KnownRound): void {
    this.#rounds.delete(id);
    this.#rounds.set(id, known);
    if (this.#rounds.size > maxRounds) this.#rounds.delete(this.#rounds.keys().next().value!);
  }

  clear(): void {
    this.#rounds.clear();
    this.tools.clear();
  }

  /** The rounds to store, oldest first. Without those with a secret that the client's messages do not have. */
  toStored(): readonly StoredRound[] {
    const stored: StoredRound[] = [];
    let length = 0;
    for (const known of [...this.#rounds.values()].reverse()) {
      if (!known.stored) continue;
      length += known.length ??= JSON.stringify(known.stored).length;
      if (length > maxStoredCharacters) break;
      stored.push(known.stored);
    }
    return stored.reverse();
  }

  restore(stored: unknown): void {
    const before = new Map(this.#rounds);
    this.#rounds.clear();
    for (const value of Array.isArray(stored) ? (stored as unknown[]) : []) {
      if (!isStoredRound(value)) continue;
      const id = roundId(value);
      const known = before.get(id);
      const isSame = known?.stored?.sealed.checksum === value.sealed.checksum;
      this.#add(id, isSame ? known : { ...rest(value), stored: value, round: null });
    }
  }

  /** Returns the list itself when it has no reply with answered calls. */
  apply(wire: Wire, list: readonly Body[]): readonly Body[] {
    if (this.#rounds.size === 0) return list;
    const { answers } = wire;
    const answered = answers.answersIn(list);
    const keys = answered.map(([from, to]) => answers.keyOf(list.slice(from, to)));
    const find = this.#finder(wire, keys);
    const output: Body[] = [];
    let text: string | undefined;
    const base = (): string => {
      text ??= textOf(list);
      return text;
    };
    let done = 0;
    answered.forEach(([from, to], place) => {
      const known = from < done ? undefined : find(place);
      const round = known && this.#open(known, wire, base);
      if (!round) return;
      output.push(...list.slice(done, from), ...round.items);
      done = to;
      if (round.results.length === 0) return;
      const next = this.#join(wire, round, list[to]);
      if (next) done++;
      output.push(...(next ? [next] : round.results));
    });
    return done === 0 ? list : [...output, ...list.slice(done)];
  }

  /** The round of a reply. One from a store is checked, and dropped if it does not belong to these messages. */
  #open(known: KnownRound, wire: Wire, base: () => string): RememberedRound | null {
    if (known.round) return known.round;
    const round = unsealRound(known.stored!, base());
    if (round && isHarmless(round, wire)) known.round = round;
    else this.#rounds.delete(roundId(known));
    return known.round;
  }

  /** A reply is found at its place, or anywhere if no other one is like it. */
  #finder({ name }: Wire, keys: readonly string[]): (place: number) => KnownRound | undefined {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const byKey = new Map<string, KnownRound[]>();
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

function rest({
  format,
  key,
  place,
}: KnownRound | RememberedRound | StoredRound): Pick<KnownRound, 'format' | 'key' | 'place'> {
  return { format, key, place };
}
