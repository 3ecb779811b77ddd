import { checksum } from '@palimpsest/core/authoring';
import type { HiddenText } from './hidden-text.ts';

/** Format of a ref: eight hexadecimal digits, and a number if two texts of a session have the same digits. */
const refShape: RegExp = /^[0-9a-f]{8}(?:-\d{1,4})?$/;

/** The ref of a text: a short hash of its content and of the session, so that a ref of another session is not found. */
export function refOf(sessionId: string, { head, text }: HiddenText): string {
  return checksum(`${sessionId}\n${head}\n${checksum(text)}\n${text.length}`);
}

/** Reads a ref as a model writes it: `3fa9c01b`, `ref 3fa9c01b`, `[3FA9C01B]`. Returns `null` for anything else. */
export function readRef(written: unknown): string | null {
  if (typeof written !== 'string' || written.length > 40) return null;
  const ref = written
    .toLowerCase()
    .replace(/^[\s[("'#]*(?:ref\b[\s:=]*)?/, '')
    .replace(/[\s\])"'.,:]*$/, '');
  return refShape.test(ref) ? ref : null;
}
