import { type Dialect, type Message, type Provenance, type Violation, validateTranscript } from '@palimpsest/core';

/** Provider rule violations in an output that the input did not have between the same messages. */
export function newViolations(
  input: readonly Message[],
  output: readonly Message[],
  provenance: Provenance,
  dialect: Dialect = 'openai',
): readonly Violation[] {
  const key = (rule: string, involved: readonly number[]): string => `${rule} ${involved.join(' ')}`;
  const before = new Set(validateTranscript(input, { dialect }).map(({ rule, involved }) => key(rule, involved)));
  const sourceOf = (at: number): number => {
    const origin = provenance.output[at];
    return origin && origin.kind !== 'inserted' ? origin.from : -1;
  };
  return validateTranscript(output, { dialect }).filter(
    ({ rule, involved }) => !before.has(key(rule, involved.map(sourceOf))),
  );
}
