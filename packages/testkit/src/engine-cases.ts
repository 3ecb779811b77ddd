import { PalimpsestError } from '@palimpsest/core';
import fc from 'fast-check';
import type { CreateEngine } from './attempt.ts';
import { type CaseContext, type CaseDefinition, CaseFailure } from './case-definition.ts';
import { caseDefinitions } from './cases/index.ts';
import { maskSecrets, plantedSecrets } from './planted-secrets.ts';
import type { Scenario } from './scenario.ts';
import { sketchTranscript } from './transcript-sketch.ts';

export interface EngineCaseOptions {
  /** Generated transcripts per case. @default 40 */
  readonly runs?: number | undefined;
  /** Fixes what is generated; a failure prints it. @default random */
  readonly seed?: number | undefined;
  /** Goes straight to one generated transcript, as printed by a failure of the same case with the same seed. */
  readonly path?: string | undefined;
  /** The most messages of a generated transcript. @default 400 */
  readonly maxLength?: number | undefined;
  /** Cases this engine is excused from, each with the reason. The engine's own tests then show what it does instead. */
  readonly skip?: Readonly<Record<string, string>> | undefined;
  /** What is planted into transcripts and must not leave. @default {@link plantedSecrets} */
  readonly secrets?: readonly string[] | undefined;
  /** The host's redactor. @default masks exactly the planted secrets */
  readonly redact?: ((text: string) => string) | undefined;
}

/** One promise of the contract, ready to run under any test runner. */
export interface EngineCase {
  readonly name: string;
  /** Resolves when the engine keeps the promise; rejects with what broke, where, and how to see it again. */
  run(create: CreateEngine): Promise<void>;
}

/**
 * The contract as a list of cases: the ten invariants, and what else a host relies on.
 *
 * @example
 * for (const testCase of engineCases()) it(testCase.name, () => testCase.run((host) => createEngine(planner, host, { name: 'mine' })));
 *
 * @throws {PalimpsestError} `OPTION_INVALID` for a skip that names no case, or gives no reason
 */
export function engineCases(options: EngineCaseOptions = {}): readonly EngineCase[] {
  const skip = options.skip ?? {};
  const known = caseDefinitions.map(({ name }) => name);
  for (const [name, reason] of Object.entries(skip)) {
    const message = !known.includes(name)
      ? `There is no case "${name}" to skip. The cases are: ${known.map((one) => `"${one}"`).join(', ')}.`
      : reason.trim() === ''
        ? `The case "${name}" is skipped without a reason: say why this engine is excused.`
        : null;
    if (message) throw new PalimpsestError('OPTION_INVALID', message, { issues: [{ path: ['skip', name], message }] });
  }
  return caseDefinitions
    .filter(({ name }) => !(name in skip))
    .map((definition) => ({ name: definition.name, run: (create) => runCase(definition, create, options) }));
}

async function runCase<S extends Scenario>(
  definition: CaseDefinition<S>,
  create: CreateEngine,
  options: EngineCaseOptions,
): Promise<void> {
  const secrets = options.secrets ?? plantedSecrets();
  const context: CaseContext = { create, secrets, hostParts: { redact: options.redact ?? maskSecrets(secrets) } };
  if (options.path === undefined)
    for (const { name, scenario } of definition.examples(context))
      await definition.check(scenario, context).catch((error: unknown) => {
        throw failure(definition.name, error, scenario, `It is the example "${name}".`);
      });
  const arbitrary = definition.arbitrary({ maxLength: options.maxLength ?? 400, secrets });
  const details = await fc.check(
    fc.asyncProperty(arbitrary, (scenario) => definition.check(scenario, context)),
    {
      numRuns: options.runs ?? 40,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.path === undefined ? {} : { path: options.path }),
    },
  );
  if (!details.failed) return;
  const again = `See it again with engineCases({ seed: ${details.seed}, path: '${details.counterexamplePath}' }).`;
  throw failure(definition.name, details.errorInstance, details.counterexample?.[0] ?? null, again);
}

function failure(name: string, error: unknown, scenario: Scenario | null, again: string): Error {
  const what =
    error instanceof Error
      ? error instanceof CaseFailure
        ? error.message
        : `${error.name}: ${error.message}`
      : String(error);
  const on = scenario ? describe(scenario) : '';
  return new CaseFailure(`${name}\n  ${what}${on}\n  ${again}`, { cause: error });
}

function describe({ messages, request, model, dialect }: Scenario): string {
  const asked = JSON.stringify({ ...request, signal: undefined });
  return `\n  ${messages.length} messages: ${sketchTranscript(messages)}\n  window ${model.contextLength}, dialect ${dialect}, request ${asked}`;
}
