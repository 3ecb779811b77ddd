import { readPayload } from './result-payload.ts';
import { resultReader } from './result-reader.ts';

/** How a call ended, as stated by its result. Nothing is guessed. */
export interface ToolOutcome {
  /** The output itself, without the JSON or the harness text around it. */
  readonly output: string;
  /** The exit code in the result; `null` if it states none. */
  readonly exitCode: number | null;
  /** True if the result states a failure: an exit code other than 0, an error field, or a harness's error mark. */
  readonly failed: boolean;
  /** An error text separate from the output, or `null`. */
  readonly error: string | null;
  /** The result as parsed JSON; `undefined` if it is not JSON. */
  readonly data: unknown;
}

/** Reads the outcome of a call from its result. Reads only both ends of the text, or parses it once if it is JSON. */
export function readOutcome(text: string): ToolOutcome {
  const payload = readPayload(text);
  if (payload) {
    const { exitCode, error, data, success } = payload;
    const failed = exitCode === null ? error !== null || !success : exitCode !== 0;
    return { output: payload.output ?? text, exitCode, failed, error, data };
  }
  const { from, to, exitCode } = resultReader.unwrap(text);
  const failed = exitCode === null ? resultReader.isError(text) : exitCode !== 0;
  return { output: text.slice(from, to), exitCode, failed, error: null, data: undefined };
}
