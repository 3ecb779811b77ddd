import { systemReason } from '@palimpsest/command-line/system-reason';
import { PalimpsestError } from '@palimpsest/core';

/** What is thrown when a file cannot be read or written, in words. */
export function fileFailure(action: 'read' | 'write', file: string, error: unknown): PalimpsestError {
  if (PalimpsestError.is(error)) return error;
  const reason = systemReason(error);
  return new PalimpsestError(
    'FILE_FAILED',
    `Cannot ${action} "${file}": ${reason}.`,
    { file, reason },
    { cause: error },
  );
}

/** True when a file operation failed because nothing is there. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';
}
