import type { Message, TokenCounter } from '@palimpsest/core';
import { currentRequest, saysStill } from '../validity/last-request.ts';
import { isInContext, rulesStatedIn } from '../validity/spoken-rules.ts';
import { type Fault, wireChecks } from '../validity/wire-check.ts';

/** What must survive of a past, whatever else goes. */
export interface Essentials {
  readonly request: readonly string[];
  readonly rules: readonly string[];
  readonly faults: ReadonlyMap<string, readonly Fault[]>;
}

/** Whether it did. */
export interface Intact {
  /** By dialect, true when a prompt that was valid still is; dialects in which it was not are left out. */
  readonly valid: ReadonlyMap<string, boolean>;
  /** `null` where nobody asks for anything. */
  readonly request: boolean | null;
  readonly rulesStated: number;
  readonly rulesKept: number;
}

const readers = wireChecks.filter(({ traceable }) => traceable);

/** The dialects in which outputs are read. */
export const dialectNames: readonly string[] = readers.map(({ name }) => name);

export function essentialsOf(past: readonly Message[], counter: TokenCounter): Essentials {
  return {
    request: currentRequest(past, counter),
    rules: rulesStatedIn(past),
    faults: new Map(readers.map(({ name, faultsOf }) => [name, faultsOf(past)])),
  };
}

/**
 * @param given what a way left, as it left it: a prompt as it would be sent
 * @param fair the part of it that fits the budget
 */
export function intactOf(essentials: Essentials, given: readonly Message[], fair: readonly Message[]): Intact {
  const { request, rules, faults } = essentials;
  const valid = new Map<string, boolean>();
  for (const { name, faultsOf } of readers)
    if (faults.get(name)!.length === 0) valid.set(name, given.length > 0 && faultsOf(given).length === 0);
  return {
    valid,
    request: request.length === 0 ? null : saysStill(request, fair),
    rulesStated: rules.length,
    rulesKept: rules.filter((rule) => isInContext(fair, rule)).length,
  };
}
