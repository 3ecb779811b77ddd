import { contentText, hasToolCalls, type Message, toolCalls } from '@palimpsest/core';
import fc from 'fast-check';
import { type CreateEngine, countCalls, type Tally } from './attempt.ts';
import { type CaseContext, type CaseDefinition, CaseFailure } from './case-definition.ts';
import { caseDefinitions } from './cases/index.ts';
import { checkSkipped } from './check-skipped.ts';
import type { Scenario } from './scenario.ts';
import { createFakeSecrets, maskSecrets } from './transcripts/fake-secrets.ts';

export interface EngineCaseOptions {
  /** Generated transcripts per case. @default 40 */
  readonly runs?: number | undefined;
  /** Seed of the generator. A failure prints it. @default random */
  readonly seed?: number | undefined;
  /** Path to one generated transcript, printed by a failure. Reproduces it when used with the same case and seed. */
  readonly path?: string | undefined;
  /** Maximum number of messages in a generated transcript. @default 400 */
  readonly maxLength?: number | undefined;
  /** Cases to skip: reasons by case name. Cover the different behaviour in the engine's own tests. */
  readonly skip?: Readonly<Record<string, string>> | undefined;
  /** Secrets that are planted into transcripts and must not leak. @default {@link createFakeSecrets} */
  readonly secrets?: readonly string[] | undefined;
  /** Redactor of the test host. @default masks exactly the planted secrets */
  readonly redact?: ((text: string) => string) | undefined;
}

/** A conformance test for an engine, ready to run under any test runner. */
export interface EngineCase {
  readonly name: string;
  /** Resolves if the engine passes. Otherwise rejects with what broke, where, and how to reproduce it. */
  run(create: CreateEngine): Promise<void>;
}

/**
 * Creates the conformance tests for engines: the ten invariants, and other behavior that hosts rely on.
 *
 * @example
 * for (const testCase of engineCases()) it(testCase.name, () => testCase.run((host) => createEngine(planner, host, { name: 'mine' })));
 *
 * @throws {PalimpsestError} `OPTION_INVALID` if `skip` names an unknown case or gives no reason
 */
export function engineCases(options: EngineCaseOptions = {}): readonly EngineCase[] {
  const skip = options.skip ?? {};
  checkSkipped(
    skip,
    caseDefinitions.map(({ name }) => name),
  );
  return caseDefinitions
    .filter(({ name }) => !(name in skip))
    .map((definition) => ({ name: definition.name, run: (create) => runCase(definition, create, options) }));
}

async function runCase<S extends Scenario>(
  definition: CaseDefinition<S>,
  create: CreateEngine,
  options: EngineCaseOptions,
): Promise<void> {
  const secrets = options.secrets ?? createFakeSecrets();
  const tally: Tally = { calls: 0, results: 0, error: null };
  const context: CaseContext = {
    create: countCalls(create, tally),
    secrets,
    hostParts: { redact: options.redact ?? maskSecrets(secrets) },
  };
  if (options.path === undefined)
    for (const { name, scenario } of definition.examples(context))
      await definition.check(scenario, context).catch((error: unknown) => {
        throw failure(definition.name, error, scenario, `This is the fixed example "${name}".`);
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
  if (!details.failed) {
    if (options.path === undefined) expectResults(definition.name, tally);
    return;
  }
  const again = `Reproduce it with engineCases({ seed: ${details.seed}, path: '${details.counterexamplePath}' }).`;
  throw failure(definition.name, details.errorInstance, details.counterexample?.[0] ?? null, again);
}

/** Fails a case in which the engine never gave a result, because then the case checked nothing. */
function expectResults(name: string, { calls, results, error }: Tally): void {
  if (calls === 0 || results > 0) return;
  throw new CaseFailure(
    `${name}\n  compress rejected all ${calls} calls of this case, so it checked nothing. The first error: ${String(error)}`,
    { cause: error },
  );
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

function describe({ messages, asked, model, dialect }: Scenario): string {
  const options = JSON.stringify({ ...asked, signal: undefined });
  return `\n  ${messages.length} messages: ${sketchTranscript(messages)}\n  window ${model.contextLength}, dialect ${dialect}, options ${options}`;
}

/** Describes a transcript in one line: role, calls and size of each message, never its text. Elides the middle. */
function sketchTranscript(messages: readonly Message[], maxShown = 24): string {
  const one = (message: Message, index: number): string => {
    const calls = hasToolCalls(message) ? ` ${Math.max(1, toolCalls(message).length)} call(s)` : '';
    return `${index} ${message.role}${calls} ${contentText(message.content).length}`;
  };
  const shown = messages.map(one);
  if (shown.length <= maxShown) return shown.join(', ');
  return [
    ...shown.slice(0, maxShown / 2),
    `... ${shown.length - maxShown} more ...`,
    ...shown.slice(-maxShown / 2),
  ].join(', ');
}
