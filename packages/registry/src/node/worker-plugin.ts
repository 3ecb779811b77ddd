import type { EngineHost, Summarizer } from '@palimpsest/core';
import type { EnginePlanner, EnginePlugin, EngineTools, StandardSchema, Transcript } from '@palimpsest/core/authoring';
import { EngineWorker } from './engine-worker.ts';
import { receiveError } from './sent-error.ts';
import { startWorker, type WorkerConnection, type WorkerOptions } from './worker-connection.ts';
import type { Calls, SentTranscript, SummarizerInfo } from './worker-protocol.ts';

/**
 * Creates a plugin whose engines run in worker threads, one worker for each engine. Host functions that an engine calls
 * synchronously cannot cross to a worker: token counts and recognized requests are sent with the messages, and the
 * worker has the built-in counter and redactor. Summarizers are called on the main thread.
 *
 * An engine in a worker cannot have `decide` or `hasContentToCompress`: core's trigger decides. `status` is as of the
 * last plan.
 */
export async function workerPlugin(module: string, options: WorkerOptions = {}): Promise<EnginePlugin> {
  const { loadingMs = 30_000 } = options;
  let spare: WorkerConnection | null = null;
  const fresh = (): WorkerConnection => {
    if (!spare?.alive) spare = startWorker(module, options);
    return spare;
  };
  const take = (): WorkerConnection => {
    const taken = fresh();
    spare = null;
    return taken;
  };
  const inTime = async <Name extends 'describe' | 'validate'>(
    name: Name,
    parameters: Calls[Name]['parameters'],
  ): Promise<Calls[Name]['answer']> => {
    const connection = fresh();
    const late = AbortSignal.timeout(loadingMs);
    try {
      return await connection.call(name, parameters, late);
    } catch (error) {
      // Unless an engine took it over meanwhile.
      if (connection === spare) connection.terminate();
      if (!late.aborted) throw error;
      throw new Error(`it did not load within ${loadingMs / 1000} s`, { cause: error });
    }
  };
  const descriptor = await inTime('describe', {});
  const schema: StandardSchema<unknown, unknown> = {
    '~standard': {
      version: 1,
      vendor: 'palimpsest-worker',
      async validate(value) {
        // Also ensures that a worker is ready when `create` needs one.
        const issues = await inTime('validate', { options: value });
        return issues.length > 0 ? { issues } : { value };
      },
    },
  };
  return {
    name: descriptor.name,
    apiVersion: descriptor.apiVersion,
    stateVersion: descriptor.stateVersion,
    options: schema,
    create: (created, host, signal) => workerPlanner(take, created, host, signal),
    ...(descriptor.migrates
      ? {
          async migrate(state: unknown, fromVersion: number, signal?: AbortSignal) {
            const connection = take();
            try {
              return await connection.call('migrate', { state, fromVersion }, signal);
            } finally {
              if (spare?.alive) connection.terminate();
              else spare = connection;
            }
          },
        }
      : {}),
  };
}

async function workerPlanner(
  take: () => WorkerConnection,
  options: unknown,
  host: EngineHost,
  signal: AbortSignal | undefined,
): Promise<EnginePlanner<unknown>> {
  const parameters = {
    options,
    dialect: host.dialect,
    handoffKey: keyOf(host),
    summarizer: infoOf(host.summarizer),
    fallbackSummarizer: infoOf(host.fallbackSummarizer),
  };
  const worker = new EngineWorker(take, parameters, host);
  const { initial, tools, trigger } = await worker.create(signal);
  let last: Pick<Calls['plan']['answer'], 'status' | 'statusFailure'> = { status: {}, statusFailure: null };
  return {
    initial,
    budget: (model, given) => worker.call('budget', { model }, given),
    async plan({ transcript, source, request: { signal: cancelled, ...request }, ...rest }) {
      const history = source && { ...sentTranscript(source.transcript, host), origins: source.origins };
      const sent = { transcript: sentTranscript(transcript, host), source: history, request, ...rest };
      const answer = await worker.call('plan', sent, cancelled);
      last = answer;
      return answer.plan;
    },
    ...(trigger ? { trigger } : {}),
    status() {
      if (last.statusFailure) throw receiveError(last.statusFailure);
      return last.status;
    },
    session: sessionIn(worker),
    ...(tools ? { tools: toolsIn(worker, tools) } : {}),
  };
}

function sessionIn(worker: EngineWorker): NonNullable<EnginePlanner<unknown>['session']> {
  return {
    start: (info) => worker.call('start', { info }),
    async turn(messages, usage) {
      await worker.call('turn', { messages, usage });
    },
    async end(messages) {
      try {
        await worker.call('end', { messages });
      } finally {
        worker.end();
      }
    },
  };
}

function toolsIn(worker: EngineWorker, schemas: EngineTools['schemas']): EngineTools {
  return {
    schemas,
    handle: (name, input, { messages, state, signal }) => worker.call('tool', { name, input, messages, state }, signal),
  };
}

function infoOf(summarizer: Summarizer | undefined): SummarizerInfo | null {
  if (!summarizer) return null;
  const { id, contextLength, timeoutMs, offline } = summarizer;
  return { id, contextLength, timeoutMs, offline };
}

/** The current handoff key as a string, because a function cannot be sent to a worker. */
function keyOf({ handoffKey }: EngineHost): string | undefined {
  return typeof handoffKey === 'function' ? handoffKey() : handoffKey;
}

function sentTranscript(transcript: Transcript, host: EngineHost): SentTranscript {
  const { messages } = transcript;
  const requests: number[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'user' && transcript.isRequest(index)) requests.push(index);
  });
  const tokens = messages.map((_, index) => transcript.tokens(index));
  return { messages, tokens, requests, handoffKey: keyOf(host) };
}
