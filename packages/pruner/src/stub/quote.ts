import { breakMarks } from '@palimpsest/core/authoring';
import { truncate } from '../salience/text/cut.ts';

/**
 * Number of characters to read from a text. With a redactor, it is much more than is quoted, because a cut inside a
 * secret could leave a part that no rule recognizes.
 */
const window = { redacted: 2_000, plain: 600 } as const;

/** Puts conversation text on one line, redacted and then shortened to `length` characters. The default is 80. */
export type Quote = (text: string, length?: number) => string;

/** @param redact masks secrets and must not throw; `null` for no masking */
export function quoter(redact: ((text: string) => string) | null): Quote {
  return (text, length = 80) => {
    const piece = text.slice(0, redact ? window.redacted : window.plain);
    const safe = breakMarks(redact ? redact(piece) : piece);
    const line = /\s\s|[^\S ]/.test(safe) ? safe.replace(/\s+/g, ' ').trim() : safe.trim();
    return piece.length < text.length && line.length < length ? `${line}\u2026` : truncate(line, length);
  };
}
