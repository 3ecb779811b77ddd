/** Location and kind of one secret in a text. Never contains the secret itself. */
export interface Finding {
  /** Kind of secret, such as `token ghp_`, `assignment` or `private-key`; for a custom rule, its name. */
  readonly kind: string;
  /** Index of the first character, in UTF-16 code units as in `text.slice`. */
  readonly start: number;
  /** Index after the last character. */
  readonly end: number;
}

/** A finding with internal data for merging and masking. */
export interface Span extends Finding {
  /** The heaviest of overlapping spans sets the kind: 3 for private keys, 2 for recognizable formats, 1 for others. */
  readonly weight: number;
  /** Replaces the standard mask. */
  readonly mask?: ((secret: string) => string) | undefined;
  /** The secret as displayed, if it contains invisible or escaped characters. */
  readonly shown?: string | undefined;
}

/** Sorts spans and merges those that overlap, so that each character is masked once. */
export function mergeSpans(spans: Span[]): Span[] {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const heavier = span.weight > last.weight ? span : last;
    const end = Math.max(last.end, span.end);
    const isWhole = heavier.start === last.start && heavier.end === end;
    merged[merged.length - 1] = { ...heavier, start: last.start, end, shown: isWhole ? heavier.shown : undefined };
  }
  return merged;
}
