import { systemReason } from '@palimpsest/command-line/system-reason';
import { PalimpsestError } from '@palimpsest/core';

/** The error for a file that cannot be read or written, with a readable reason. */
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

/** The error for an output whose run cannot continue, with the reason. */
export function cannotContinue(file: string, reason: string): PalimpsestError {
  return new PalimpsestError('RUN_UNFINISHED', `"${file}" is unfinished: ${reason}.`, { file, reason });
}

/** True if a file operation failed because the file does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';
}
