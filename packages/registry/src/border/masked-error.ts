import { PalimpsestError } from '@palimpsest/core';
import { maskedJson } from '@palimpsest/core/authoring';
import { structuralCopy } from './structural-copy.ts';

type Redact = (text: string) => string;

/** Copies a {@link PalimpsestError} with secrets masked in its message and details, and without its `cause`. */
export function maskedError(error: PalimpsestError, redact: Redact): PalimpsestError {
  return new PalimpsestError(error.code, redact(error.message), maskedJson(structuralCopy(error.details), redact));
}

/** Copies a foreign error for use as a `cause`: only name, message and stack, with secrets masked. */
export function maskedCause(error: unknown, redact: Redact): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const masked = new Error(redact(error.message));
  masked.name = redact(error.name);
  if (typeof error.stack === 'string') masked.stack = redact(error.stack);
  return masked;
}
