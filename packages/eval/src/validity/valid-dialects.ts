import { type Message, validateTranscript } from '@palimpsest/core';

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
