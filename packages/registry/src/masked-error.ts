import { maskedJson, PalimpsestError } from '@palimpsest/core';
import { structuralCopy } from './structural-copy.ts';

type Redact = (text: string) => string;

/** One of our errors with the secrets masked in its message and details. What caused it stays behind. */
export function maskedError(error: PalimpsestError, redact: Redact): PalimpsestError {
  return new PalimpsestError(error.code, redact(error.message), maskedJson(structuralCopy(error.details), redact));
}

/** Somebody else's error for a `cause`: its name, message and stack, masked, and nothing it carries. */
export function maskedCause(error: unknown, redact: Redact): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const masked = new Error(redact(error.message));
  masked.name = redact(error.name);
  if (typeof error.stack === 'string') masked.stack = redact(error.stack);
  return masked;
}
