/** One secret found: where it stands and what it is, never what it says. */
export interface Finding {
  /** What it was recognised as, e.g. `token ghp_`, `assignment`, `private-key`; a user rule's name. */
  readonly kind: string;
  /** Index of its first character (UTF-16 code units, as in `text.slice`). */
  readonly start: number;
  /** Index after its last character. */
  readonly end: number;
}

/** A finding before it is reported: with what decides between overlapping ones, and how it is to be masked. */
export interface Span extends Finding {
  /** Of two overlapping spans the higher names the kind: 2 for an own shape, 1 for a name beside a value. */
  readonly weight: number;
  /** Replaces the standard mask. */
  readonly mask?: ((secret: string) => string) | undefined;
  /** The secret as displayed, if it contains invisible or escaped characters. */
  readonly shown?: string | undefined;
}

/** Sorts spans and unites those that overlap, so that each character is masked once. */
export function unite(spans: Span[]): Span[] {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const united: Span[] = [];
  for (const span of spans) {
    const last = united.at(-1);
    if (!last || span.start >= last.end) {
      united.push(span);
      continue;
    }
    const named = span.weight > last.weight ? span : last;
    const end = Math.max(last.end, span.end);
    const isWhole = named.start === last.start && named.end === end;
    united[united.length - 1] = { ...named, start: last.start, end, shown: isWhole ? named.shown : undefined };
  }
  return united;
}
