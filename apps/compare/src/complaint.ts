/**
 * Something a person gave that cannot be worked with. The message is one line: what, where, what to do. `foreign` marks
 * input that is whole but no transcript, which a walk through a folder may pass over.
 */
export class Complaint extends Error {
  override readonly name = 'Complaint';
  /** 1: the input is bad. 2: the command was used wrongly. */
  readonly exitCode: 1 | 2;
  readonly foreign: boolean;

  private constructor(message: string, exitCode: 1 | 2, foreign: boolean, cause: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.foreign = foreign;
  }

  static badInput(message: string, cause?: unknown): Complaint {
    return new Complaint(message, 1, false, cause);
  }

  static foreignInput(message: string): Complaint {
    return new Complaint(message, 1, true, undefined);
  }

  static badUsage(message: string, cause?: unknown): Complaint {
    return new Complaint(message, 2, false, cause);
  }
}

/** The words of a failed file operation: the code a person can look up, in plain English where it is a common one. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? code ?? message;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
};
