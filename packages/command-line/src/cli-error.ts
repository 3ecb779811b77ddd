/**
 * Error for invalid user input or wrong usage. The message is one line: what happened, where, and what to do next.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
  /** 1: invalid input. 2: wrong usage. */
  readonly exitCode: 1 | 2;
  /** True for valid input that is not a transcript. A folder walk skips such files. */
  readonly foreign: boolean;

  private constructor(message: string, exitCode: 1 | 2, foreign: boolean, cause: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.foreign = foreign;
  }

  static badInput(message: string, cause?: unknown): CliError {
    return new CliError(message, 1, false, cause);
  }

  static foreignInput(message: string): CliError {
    return new CliError(message, 1, true, undefined);
  }

  static badUsage(message: string, cause?: unknown): CliError {
    return new CliError(message, 2, false, cause);
  }
}
