import { type Message, type TokenCounter, validateTranscript } from '@palimpsest/core';
import { currentRequest } from './current-request.ts';
import { rulesStatedIn } from './spoken-rules.ts';

/** The parts of a past that must be kept: the current request and stated rules. */
export interface Essentials {
  readonly request: readonly string[];
  readonly rules: readonly string[];
}

/** The dialects in which {@link evaluate} reports validity. */
export const dialectKeys = ['openai', 'anthropic', 'strict'] as const;
export type Dialects = Readonly<Record<(typeof dialectKeys)[number], boolean>>;

/** In which dialects a prompt is valid. */
export function validDialects(messages: readonly Message[]): Dialects {
  const [openai, anthropic, strict] = dialectKeys.map(
    (dialect) => validateTranscript(messages, { dialect }).length === 0,
  );
  return { openai: openai!, anthropic: anthropic!, strict: strict! };
}

export const essentialsOf = (past: readonly Message[], counter: TokenCounter): Essentials => ({
  request: currentRequest(past, counter),
  rules: rulesStatedIn(past),
});
