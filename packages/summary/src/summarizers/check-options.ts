import { OptionCheck, shownType } from '@palimpsest/core/authoring';

/** Options that the summarizers have in common. */
interface CommonOptions {
  readonly model?: unknown;
  readonly contextLength?: unknown;
  readonly timeoutMs?: unknown;
}

const longestTimer = 2 ** 31 - 1;

/**
 * Checks the options of a summarizer.
 * @param owner the function that takes them, for the error message
 * @param names all its options
 * @param example the name of a model
 * @throws {PalimpsestError} `OPTION_INVALID`, with all problems
 */
export function checkOptions(owner: string, options: CommonOptions, names: readonly string[], example: string): void {
  const check = new OptionCheck();
  if (!check.object('', options, names, `an object such as { model: ${JSON.stringify(example)} }`)) check.finish(owner);
  const { model, contextLength, timeoutMs } = options;
  const isModel = typeof model === 'string' && model !== '';
  check.expect(
    isModel,
    'model',
    `the name of a model, such as ${JSON.stringify(example)}`,
    model === '' ? 'an empty text' : shownType(model),
  );
  const isLength = contextLength === undefined || (typeof contextLength === 'number' && contextLength > 0);
  check.expect(isLength, 'contextLength', 'a number of tokens above 0', shownType(contextLength));
  const isTimeout =
    timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= longestTimer);
  check.expect(isTimeout, 'timeoutMs', `a number of milliseconds from 1 to ${longestTimer}`, shownType(timeoutMs));
  check.finish(owner);
}
