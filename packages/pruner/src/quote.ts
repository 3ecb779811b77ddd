import { breakMarks } from '@palimpsest/core/authoring';
import { truncate } from '@palimpsest/salience';

/** A stub is never longer, and nothing this short is ever stubbed: so a stub is recognised by its length alone. */
export const stubLength = 199;

/**
 * How much of a text is looked at, in characters. With a redactor much more than is shown: a cut must not leave half of a
 * secret that no rule knows any more.
 */
const window = { redacted: 2_000, plain: 600 } as const;

/** Puts a piece of conversation on one line, redacted first and then cut to `length` characters. */
export type Quote = (text: string, length?: number) => string;

/** @param redact replaces secrets, must not throw; `null` when nothing is to be replaced */
export function quoter(redact: ((text: string) => string) | null): Quote {
  return (text, length = 80) => {
    const piece = text.slice(0, redact ? window.redacted : window.plain);
    const safe = breakMarks(redact ? redact(piece) : piece);
    const line = /\s\s|[^\S ]/.test(safe) ? safe.replace(/\s+/g, ' ').trim() : safe.trim();
    return piece.length < text.length && line.length < length ? `${line}\u2026` : truncate(line, length);
  };
}

/** A whole number from 0 on with separators between thousands. */
export function count(value: number): string {
  const whole = Math.round(value);
  return whole < 1_000 ? `${whole}` : `${count(Math.floor(whole / 1_000))},${`${whole % 1_000}`.padStart(3, '0')}`;
}
