import { PalimpsestError } from '@palimpsest/core';
import { structuralCopy } from '../border/structural-copy.ts';
import type { SentError } from './worker-protocol.ts';

/** Converts an error to a message with the fields that the other side reads. Never throws. */
export function sendError(error: unknown): SentError {
  const { message, code, status, details } = readable(error);
  const ours = PalimpsestError.is(error);
  return {
    message: typeof message === 'string' ? message : typeof error === 'string' ? error : `it threw ${typeof error}`,
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    status: typeof status === 'number' ? status : undefined,
    details: ours ? (structuralCopy(details ?? {}) as Record<string, unknown>) : undefined,
    ours,
  };
}

/** Reads the fields of a thrown value, whose getters may throw. */
function readable(error: unknown): Partial<Record<keyof SentError, unknown>> {
  try {
    const { message, code, status, details } = Object(error) as Partial<Record<keyof SentError, unknown>>;
    return { message, code, status, details };
  } catch {
    return {};
  }
}

/** Converts a received message back to an error. */
export function receiveError({ ours, message, code, status, details }: SentError): Error {
  if (ours) return new PalimpsestError(String(code), message, details);
  return Object.assign(new Error(message), {
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
  });
}
