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
