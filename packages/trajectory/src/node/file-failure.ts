import { PalimpsestError } from '@palimpsest/core';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  Z_DATA_ERROR: 'its compressed data is damaged',
  Z_BUF_ERROR: 'its compressed data ends too early',
};

/** What is thrown when a file cannot be read or written, in words. */
export function fileFailure(action: 'read' | 'write', file: string, error: unknown): PalimpsestError {
  if (PalimpsestError.is(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = reasons[code ?? ''] ?? code ?? message;
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
