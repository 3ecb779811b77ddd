import { PalimpsestError } from '@palimpsest/core';
import { maskJson } from '@palimpsest/core/authoring';

type Redact = (text: string) => string;

const maxReasonLength = 300;

/**
 * Formats a thrown value as one line that is safe to show and log: its message, with secrets masked, cut to 300
 * characters. Never throws, even if the getters of the thrown object do.
 */
export function failureReason(error: unknown, redact: Redact): string {
  let text: string;
  try {
    const message = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
    text = typeof message === 'string' && message.trim() !== '' ? message : `it threw ${typeof error}`;
  } catch {
    text = 'it threw an unreadable value';
  }
  // Mask before cutting: the redactor does not recognize half of a secret.
  const line = redact(text).replace(/\s+/g, ' ').trim();
  return line.length > maxReasonLength ? `${line.slice(0, maxReasonLength)}...` : line;
}

/** Copies an error with secrets masked: a {@link PalimpsestError} without its cause, of others the message and the stack. */
export function maskError(error: unknown, redact: Redact): Error {
  if (PalimpsestError.is(error))
    return new PalimpsestError(error.code, redact(error.message), maskJson(error.details, redact));
  const masked = new Error(failureReason(error, redact));
  if (error instanceof Error && error.stack !== undefined) masked.stack = redact(error.stack);
  return masked;
}
