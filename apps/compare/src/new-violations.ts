import { type Dialect, type Message, type Provenance, type Violation, validateTranscript } from '@palimpsest/core';

/** What a provider would reject in an output, told apart by where it comes from. */
export interface Violations {
  /** Made by the engine. */
  readonly made: readonly Violation[];
  /** Stood in the input already, between the same messages. */
  readonly inherited: readonly Violation[];
}

/** Validates the output and takes off what the input brought along. */
export function violationsOf(
  input: readonly Message[],
  output: readonly Message[],
  provenance: Provenance,
  dialect: Dialect = 'openai',
): Violations {
  const key = (rule: string, involved: readonly number[]): string => `${rule} ${involved.join(' ')}`;
  const before = new Set(validateTranscript(input, { dialect }).map(({ rule, involved }) => key(rule, involved)));
  const made: Violation[] = [];
  const inherited: Violation[] = [];
  for (const violation of validateTranscript(output, { dialect })) {
    const sources = violation.involved.map((at) => {
      const origin = provenance.output[at];
      return origin && origin.kind !== 'inserted' ? origin.from : -1;
    });
    (before.has(key(violation.rule, sources)) ? inherited : made).push(violation);
  }
  return { made, inherited };
}
