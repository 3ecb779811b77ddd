import { breakMarks } from '@palimpsest/core/authoring';
import { truncate } from '@palimpsest/salience';

/**
 * How much of a text is read, in characters. With a redactor, much more than is shown: a cut inside a secret could leave
 * a part that no rule recognizes.
 */
const window = { redacted: 2_000, plain: 600 } as const;

/** Puts text of the conversation on one line: redacts it first, then shortens it to `length` characters (default 80). */
export type Quote = (text: string, length?: number) => string;

/** @param redact replaces secrets and must not throw; `null` to replace nothing */
export function quoter(redact: ((text: string) => string) | null): Quote {
  return (text, length = 80) => {
    const piece = text.slice(0, redact ? window.redacted : window.plain);
    const safe = breakMarks(redact ? redact(piece) : piece);
    const line = /\s\s|[^\S ]/.test(safe) ? safe.replace(/\s+/g, ' ').trim() : safe.trim();
    return piece.length < text.length && line.length < length ? `${line}\u2026` : truncate(line, length);
  };
}
