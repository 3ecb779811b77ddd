import { PalimpsestError } from '@palimpsest/core';
import { maskedJson } from '@palimpsest/core/authoring';
import { structuralCopy } from './structural-copy.ts';

type Redact = (text: string) => string;

/** Copies a {@link PalimpsestError} with secrets masked in its message and details, and without its `cause`. */
export function maskedError(error: PalimpsestError, redact: Redact): PalimpsestError {
  return new PalimpsestError(
    redact(error.code),
    redact(error.message),
    maskedJson(structuralCopy(error.details), redact),
  );
}

/** Copies a foreign error for use as a `cause`: only name, message and stack, with secrets masked. */
export function maskedCause(error: unknown, redact: Redact): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const masked = new Error(redact(error.message));
  masked.name = redact(error.name);
  if (typeof error.stack === 'string') masked.stack = redact(error.stack);
  return masked;
}

/** Copies any thrown value as an error: only name, message, status and code, with secrets masked. */
export function maskedFailure(error: unknown, redact: Redact): Error {
  if (PalimpsestError.is(error)) return maskedError(error, redact);
  const { message, status, code, name } = Object(error) as Readonly<Record<string, unknown>>;
  const masked = new Error(typeof message === 'string' ? redact(message) : `it threw ${typeof error}`);
  if (typeof name === 'string') masked.name = redact(name);
  return Object.assign(masked, {
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof code === 'number' ? { code } : typeof code === 'string' ? { code: redact(code) } : {}),
  });
}
