import { type Message, type TokenCounter, validateTranscript } from '@palimpsest/core';
import { currentRequest, isRequestKept } from './current-request.ts';
import { isInContext, rulesStatedIn } from './spoken-rules.ts';
import { type Fault, wireChecks } from './wire-check.ts';

/** The parts of a past that must be kept: the current request, stated rules, and validity by dialect. */
export interface Essentials {
  readonly request: readonly string[];
  readonly rules: readonly string[];
  readonly faults: ReadonlyMap<string, readonly Fault[]>;
}

/** Which essentials an output kept. */
export interface Intact {
  /** By dialect, true if the output is valid. Omits dialects in which the input was not valid. */
  readonly valid: ReadonlyMap<string, boolean>;
  /** `null` if there is no current request. */
  readonly request: boolean | null;
  readonly rulesStated: number;
  readonly rulesKept: number;
}

const readers = wireChecks.filter(({ traceable }) => traceable);

/** Names of the dialects in which outputs are validated. */
export const dialectNames: readonly string[] = readers.map(({ name }) => name);

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

export function essentialsOf(past: readonly Message[], counter: TokenCounter): Essentials {
  return {
    request: currentRequest(past, counter),
    rules: rulesStatedIn(past),
    faults: new Map(readers.map(({ name, faultsOf }) => [name, faultsOf(past)])),
  };
}

/**
 * Checks which essentials an output kept.
 * @param given the complete output, as it would be sent
 * @param fair the part of the output that fits the budget
 */
export function intactOf(essentials: Essentials, given: readonly Message[], fair: readonly Message[]): Intact {
  const { request, rules, faults } = essentials;
  const valid = new Map<string, boolean>();
  for (const { name, faultsOf } of readers)
    if (faults.get(name)!.length === 0) valid.set(name, given.length > 0 && faultsOf(given).length === 0);
  return {
    valid,
    request: request.length === 0 ? null : isRequestKept(request, fair),
    rulesStated: rules.length,
    rulesKept: rules.filter((rule) => isInContext(fair, rule)).length,
  };
}
