import type { Message, Provenance } from '@palimpsest/core';
import type { Sample } from '@palimpsest/eval/inputs/sample';

/** What became of the tokens of a prompt. `kept`, `shortened` and `summary` are left, the others are gone. */
export interface OutcomeTokens {
  /** Unchanged messages and tool schemas. */
  readonly kept: number;
  /** What is left of shortened messages. */
  readonly shortened: number;
  /** Messages that the engine wrote, with what they quote. */
  readonly summary: number;
  /** Messages that were removed without a summary. */
  readonly dropped: number;
  /** The rest: what shortening and summarizing removed. */
  readonly freed: number;
}

/** @param provenance `null` if nothing was changed */
export function outcomeTokens(
  { messages, tokens, promptTokens }: Sample,
  prompt: readonly Message[],
  provenance: Provenance | null,
  tokensAfter: number,
): OutcomeTokens {
  let [shortened, summary, dropped] = [0, 0, 0];
  provenance?.output.forEach(({ kind }, at) => {
    if (kind === 'rewritten') shortened += tokens.countMessage(prompt[at]!);
    if (kind === 'inserted') summary += tokens.countMessage(prompt[at]!);
  });
  provenance?.source.forEach(({ kind }, at) => {
    if (kind === 'dropped') dropped += tokens.countMessage(messages[at]!);
  });
  return {
    kept: Math.max(0, Math.round(tokensAfter - shortened - summary)),
    shortened: Math.round(shortened),
    summary: Math.round(summary),
    dropped: Math.round(dropped),
    freed: Math.max(0, Math.round(promptTokens - tokensAfter - dropped)),
  };
}
