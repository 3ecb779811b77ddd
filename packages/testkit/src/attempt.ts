import {
  type CompressResult,
  type ContextEngine,
  type EngineHost,
  type Message,
  PalimpsestError,
} from '@palimpsest/core';
import { settle } from './host/settle.ts';
import { type TestHost, type TestHostParts, testHost } from './host/test-host.ts';
import type { Scenario } from './scenario.ts';

/** How often `compress` was called in a run of one case, and how often it gave a result. */
export interface Tally {
  calls: number;
  results: number;
  /** What the first call without a result rejected with. */
  error: unknown;
}

const tallies = new WeakMap<ContextEngine, Tally>();

/** Counts the calls of the engines that a function creates. */
export function countCalls(create: CreateEngine, tally: Tally): CreateEngine {
  return async (host) => {
    const engine = await create(host);
    tallies.set(engine, tally);
    return engine;
  };
}

/** Creates the engine under test on the given host. Called once or more for every transcript. */
export type CreateEngine = (host: EngineHost) => ContextEngine | Promise<ContextEngine>;

/** One call of `compress` and how it ended. */
export interface Attempt {
  readonly scenario: Scenario;
  readonly host: TestHost;
  readonly engine: ContextEngine;
  /** `null` when the call rejected or hung. */
  readonly result: CompressResult<Message> | null;
  readonly error: unknown;
  readonly hanging: boolean;
}

/** Creates an engine, sets its model, and compacts once. */
export async function attempt(create: CreateEngine, scenario: Scenario, parts: TestHostParts): Promise<Attempt> {
  const host = hostFor(scenario, parts);
  return compactAgain(await freshEngine(create, host, scenario), host, scenario);
}

export const hostFor = ({ dialect }: Scenario, parts: TestHostParts): TestHost => testHost({ dialect, ...parts });

/** Creates an engine, and sets its model. */
export async function freshEngine(create: CreateEngine, host: TestHost, { model }: Scenario): Promise<ContextEngine> {
  const engine = await create(host);
  await engine.updateModel(model);
  return engine;
}

/** Compacts with an existing engine. */
export async function compactAgain(engine: ContextEngine, host: TestHost, scenario: Scenario): Promise<Attempt> {
  const call = async (): Promise<CompressResult<Message>> => engine.compress(scenario.messages, scenario.asked);
  const settled = await settle(call(), host.clock);
  const made: Attempt = {
    scenario,
    host,
    engine,
    result: settled.kind === 'fulfilled' ? settled.value : null,
    error: settled.kind === 'rejected' ? settled.error : undefined,
    hanging: settled.kind === 'hanging',
  };
  const tally = tallies.get(engine);
  if (tally) {
    tally.calls++;
    // A plan that core's contract check rejects is reported by the case of the invariant it breaks.
    if (made.result || readRefusal(made).length > 0) tally.results++;
    else tally.error ??= made.hanging ? 'compress neither resolved nor rejected' : made.error;
  }
  return made;
}

/**
 * The invariants for which core's contract check rejected a plan, with reasons; empty for any other error. The case of
 * each invariant reports these as its own failures. The case in `returns-result.ts` reports all other errors.
 */
export function readRefusal({ error }: Attempt): readonly { readonly invariant: number; readonly reason: string }[] {
  if (!PalimpsestError.is(error) || error.code !== 'INVARIANT_VIOLATED') return [];
  const { violations } = error.details;
  if (!Array.isArray(violations)) return [];
  return violations.flatMap((violation: unknown) => {
    const found = /^invariant (\d+): (.*)$/s.exec(String(violation));
    return found ? [{ invariant: Number(found[1]), reason: found[2]! }] : [];
  });
}
