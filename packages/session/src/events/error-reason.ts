import { PalimpsestError } from '@palimpsest/core';

/** Describes an error for an event. Messages of foreign errors are left out, because they may quote the conversation. */
export function errorReason(error: unknown): string {
  if (PalimpsestError.is(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.name : 'A value that is not an Error was thrown.';
}
