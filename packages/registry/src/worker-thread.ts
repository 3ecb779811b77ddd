import { parentPort, workerData } from 'node:worker_threads';
import { PalimpsestError } from '@palimpsest/core';
import type { EnginePlanner, EnginePlugin } from '@palimpsest/core/authoring';
import type { SchemaIssue } from './config/option-issue.ts';
import { knownKeys } from './config/schema-keys.ts';
import { pluginOf } from './engines/plugin-check.ts';
import { loadModule } from './node/module-loader.ts';
import { sendError } from './node/sent-error.ts';
import { createThreadHost, type ThreadHost } from './node/thread-host.ts';
import type { CallName, Calls, FromThread, ThreadData, ToThread } from './node/worker-protocol.ts';

/** Worker script: loads one engine and answers the calls of the main thread. */

const { module } = workerData as ThreadData;
const running = new Map<number, AbortController>();
const post = (message: FromThread): void => parentPort!.postMessage(message);

const loading: Promise<EnginePlugin> = loadModule(module).then((exports) => pluginOf(exports, module));
// The error is reported to every call. This handler only prevents an unhandled rejection before the first one.
loading.catch(() => undefined);

let made: { readonly planner: EnginePlanner<unknown>; readonly host: ThreadHost } | null = null;
const engine = (): NonNullable<typeof made> => {
  if (made === null) throw new Error('the engine has not been created yet');
  return made;
};

type Handlers = {
  readonly [Name in CallName]: (
    parameters: Calls[Name]['parameters'],
    signal: AbortSignal,
  ) => Promise<Calls[Name]['answer']> | Calls[Name]['answer'];
};

const handlers: Handlers = {
  async describe() {
    const { name, apiVersion, stateVersion, migrate } = await loading;
    return { name, apiVersion, stateVersion, migrates: typeof migrate === 'function' };
  },
  async validate({ options }) {
    const plugin = await loading;
    const result = await plugin.options?.['~standard'].validate(options);
    return (result?.issues ?? []).map((issue: SchemaIssue) => {
      const path = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
      const { code, keys } = issue;
      return {
        message: issue.message,
        path: path.map((step) => (typeof step === 'number' ? step : String(step))),
        ...(code === 'unrecognized_keys' ? { code, keys, known: knownKeys(plugin.options, path) } : {}),
      };
    });
  },
  async create({ options, ...parts }, signal) {
    const plugin = await loading;
    const result = await plugin.options?.['~standard'].validate(options);
    const host = createThreadHost(parts, post);
    const planner = await plugin.create(result && !result.issues ? result.value : options, host.host, signal);
    made = { planner, host };
    return { initial: planner.initial, tools: planner.tools?.schemas ?? null, trigger: planner.trigger ?? null };
  },
  budget: ({ model }, signal) => engine().planner.budget(model, signal),
  migrate: async ({ state, fromVersion }, signal) => (await loading).migrate!(state, fromVersion, signal),
  async plan({ transcript, source, request, ...rest }, signal) {
    const { planner, host } = engine();
    const history = source && { transcript: host.transcript(source), origins: source.origins };
    const plan = await planner.plan({
      transcript: host.transcript(transcript),
      source: history,
      request: { ...request, signal },
      ...rest,
    });
    return { plan, ...statusOf(planner, plan?.state) };
  },
  tool: ({ name, input, messages, state }, signal) =>
    engine().planner.tools!.handle(name, input, { messages, state, signal }),
  start: ({ info }) => engine().planner.session?.start?.(info),
  async turn({ messages, usage }) {
    await engine().planner.session?.turn?.(messages, usage);
    return null;
  },
  async end({ messages }) {
    await engine().planner.session?.end?.(messages);
    return null;
  },
};

/** Reads `status`, or why it failed, so that the plan is not lost. */
function statusOf(
  planner: EnginePlanner<unknown>,
  state: unknown,
): Pick<Calls['plan']['answer'], 'status' | 'statusFailure'> {
  try {
    return { status: structuredClone(planner.status?.(state) ?? {}), statusFailure: null };
  } catch (error) {
    return { status: {}, statusFailure: sendError(error) };
  }
}

/** Replaces a clone error with `PLAN_INVALID`, because the contract requires JSON answers. */
function unsendable(error: unknown): unknown {
  const isClone = (error as { name?: unknown } | null)?.name === 'DataCloneError';
  return isClone ? new PalimpsestError('PLAN_INVALID', `its answer is not JSON: ${(error as Error).message}`) : error;
}

parentPort!.on('message', async (message: ToThread) => {
  if (message.kind === 'abort') return running.get(message.id)?.abort();
  if (message.kind !== 'call') return made?.host.receive(message);
  const { id } = message;
  const controller = new AbortController();
  running.set(id, controller);
  const answer = (outcome: FromThread): void => {
    running.delete(id);
    post(outcome);
  };
  try {
    // The table pairs names with parameters; the compiler cannot follow a name that is only known at run time.
    const handler = handlers[message.name] as (parameters: unknown, signal: AbortSignal) => unknown;
    answer({ kind: 'answer', id, value: await handler(message.parameters, controller.signal) });
  } catch (error) {
    answer({ kind: 'failed', id, error: sendError(unsendable(error)) });
  }
});
