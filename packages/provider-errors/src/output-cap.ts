import { countPattern, firstCount } from './count.ts';
import type { Figures } from './figures.ts';
import type { ErrorFacts } from './read-error.ts';
import { outputName, sum } from './vocabulary.ts';

/** A refusal because prompt and answer together exceed the window. */
export interface Room {
  readonly limit: number;
  /** `null` when only a lower bound is known. */
  readonly prompt: number | null;
  /** Tokens the prompt leaves for the answer. An upper bound if the prompt is only a lower bound. */
  readonly left: number;
  /** `null` when the error states only the prompt. */
  readonly output: number | null;
}

/** Smallest useful answer: this share of what was asked for, or this many tokens. With less, the prompt has to shrink. */
const minShare = 1 / 8;
const minOutputTokens = 1_000;

/** A low estimate, so that a prompt whose size is given in characters is not underestimated. */
const charactersPerToken = 3;
const requestedTokens: RegExp = /\brequested tokens\b[^.\n\d]{0,20}\bexceed/;
/** An estimated prompt below this share of the window fits. */
const clearlyFits = 0.8;

/** Reads a refusal because prompt and answer exceed the window; `null` when the error is about something else. */
export function roomIn(figures: Figures, estimate: number | undefined): Room | null {
  const { limit, output, prompt, promptAtLeast, promptCharacters } = figures;
  if (limit === null || output === null) return null;
  const counted = promptCharacters === null ? null : Math.ceil(promptCharacters / charactersPerToken);
  const minPrompt = prompt ?? promptAtLeast ?? counted;
  if (minPrompt === null && output < limit) return null;
  const size = prompt ?? Math.max(minPrompt ?? 0, estimate ?? 0);
  if (size > 0 && size + output <= limit) return null;
  return { limit, prompt, left: limit - size, output };
}

/**
 * Reads an overflow that names only the prompt, or only the limit: the words llama-cpp-python uses when prompt and answer
 * together exceed the window. A prompt that fits was refused, so the answer did not fit.
 */
export function roomBeside({ limit, prompt }: Figures, text: string, estimate: number | undefined): Room | null {
  if (limit === null || sum.test(text)) return null;
  const size = prompt ?? (requestedTokens.test(text) ? estimate : undefined) ?? limit;
  const fits = prompt === null ? size < limit * clearlyFits : size < limit;
  return fits ? { limit, prompt, left: limit - size, output: null } : null;
}

/** True when a smaller answer helps; false when the prompt has to shrink. */
export function leavesRoom({ left, output }: Room): boolean {
  return left > 0 && left >= Math.min((output ?? 0) * minShare, minOutputTokens);
}

const codes: ReadonlySet<string> = new Set([
  'max_tokens_exceeded',
  'output_limit_exceeded',
  'max_output_tokens_exceeded',
  'max_completion_tokens_exceeded',
]);
const withoutFigure = new RegExp(
  String.raw`${outputName}(?: \(\d+\)| value)?(?: parameter)? (?:(?:is |was )?(?:too (?:large|high|big)|above the max|out of range|exceeds?\b|over\b|greater than the max|larger than the max)|value is invalid)|(?:requested|asked for|requesting)[^.\n]{0,40}(?:output|completion)[^.\n]{0,40}(?:exceed|more than|above|over)|too many (?:output|completion) tokens`,
);
/** Vertex states the first value that is too large. */
const exclusive: readonly RegExp[] = [countPattern('to <above> \\(exclusive\\)')];
const moreNeeded =
  /(?:higher|increase|raise|larger) max_?\w*tokens|max\w*tokens must be (?:greater|larger|at least)|at least 1\b/;

/** The most output tokens allowed; `'unknown'` when the error does not say, `null` when it is about something else. */
export function outputCapIn({ text, codes: given }: ErrorFacts, figures: Figures): number | 'unknown' | null {
  if (moreNeeded.test(text)) return null;
  const above = new RegExp(outputName).test(text) ? firstCount(exclusive, text, 'above') : null;
  if (above !== null) return above - 1;
  if (figures.outputLimit !== null) return figures.outputLimit;
  if (sum.test(text)) return null;
  return withoutFigure.test(text) || [...given].some((code) => codes.has(code)) ? 'unknown' : null;
}
