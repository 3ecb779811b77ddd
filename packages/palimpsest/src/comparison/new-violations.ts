import { type Dialect, type Message, type Provenance, type Violation, validateTranscript } from '@palimpsest/core';

/** Provider rule violations in an output, by origin. */
export interface Violations {
  /** Introduced by the engine. */
  readonly made: readonly Violation[];
  /** Already in the input, between the same messages. */
  readonly inherited: readonly Violation[];
}

/** Validates the output and separates the violations that were already in the input. */
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
