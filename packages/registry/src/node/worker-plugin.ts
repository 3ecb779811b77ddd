import {
  type ContextEvent,
  type EngineHost,
  PalimpsestError,
  type SummarizeRequest,
  type Summarizer,
} from '@palimpsest/core';
import type { EnginePlanner, EnginePlugin, StandardSchema, Transcript } from '@palimpsest/core/authoring';
import { receiveError, sendError } from './sent-error.ts';
import { type Asks, startWorker, type WorkerConnection, type WorkerOptions } from './worker-connection.ts';
import type { Calls, CreateAnswer, SentTranscript, SummarizerInfo } from './worker-protocol.ts';

/**
 * An engine that lives in a worker thread, as a plugin: one worker for each engine made of it. What the worker cannot
 * ask for in time it gets beforehand (token counts, which messages are requests) or has of its own (the house's counter
 * and redactor); summarizers are called on this side.
 *
 * A worker cannot bring its own `decide` or `hasContentToCompress`: core's trigger decides. `status` is as of the last plan.
 */
export async function workerPlugin(module: string, options: WorkerOptions = {}): Promise<EnginePlugin> {
  const { loadingMs = 30_000 } = options;
  let spare: WorkerConnection | null = null;
  const fresh = (): WorkerConnection => {
    if (!spare?.alive) spare = startWorker(module, options);
    return spare;
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
      // By now it may be somebody's.
      if (connection === spare) connection.terminate();
      if (!late.aborted) throw error;
      throw new Error(`it did not answer within ${loadingMs / 1000} s of loading`, { cause: error });
    }
  };
  const descriptor = await inTime('describe', {});
  const schema: StandardSchema<unknown, unknown> = {
    '~standard': {
      version: 1,
      vendor: 'palimpsest-worker',
      async validate(value) {
        // Also sees to it that a worker is ready by the time `create` needs one.
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
    create(created, host) {
      const take = (): WorkerConnection => {
        const taken = fresh();
        spare = null;
        return taken;
      };
      return workerPlanner(take, created, host);
    },
    ...(descriptor.migrates
      ? {
          migrate: (state: unknown, fromVersion: number) => fresh().callBlocking('migrate', { state, fromVersion }),
        }
      : {}),
  };
}

function workerPlanner(take: () => WorkerConnection, options: unknown, host: EngineHost): EnginePlanner<unknown> {
  const parameters = {
    options,
    dialect: host.dialect,
    handoffKey: keyOf(host),
    summarizer: infoOf(host.summarizer),
    fallbackSummarizer: infoOf(host.fallbackSummarizer),
  };
  const connect = (): { readonly connection: WorkerConnection; readonly created: CreateAnswer } => {
    const connection = take();
    connection.listen(answerFor(connection, host));
    return { connection, created: connection.callBlocking('create', parameters) };
  };
  let current = connect();
  /** A worker that was ended, with its session or after a cancelled call, is replaced when there is work again. */
  const connection = (): WorkerConnection => {
    // One that has not answered to a cancellation may be ended at any moment, and what it is asked now with it.
    if (current.connection.cancelling) current.connection.terminate();
    const { broken } = current.connection;
    if (broken !== null) throw new PalimpsestError('ENGINE_FAILED', broken, { reason: broken });
    if (!current.connection.alive) {
      current = connect();
      collected.register(planner, current.connection);
    }
    return current.connection;
  };
  let last: Pick<Calls['plan']['answer'], 'status' | 'statusFailure'> = { status: {}, statusFailure: null };
  const { initial, tools, trigger } = current.created;
  const planner: EnginePlanner<unknown> = {
    initial,
    budget: (model) => connection().callBlocking('budget', { model }),
    async plan({ transcript, source, request: { signal, ...request }, ...rest }) {
      const sent = { transcript: sentTranscript(transcript, host), source, request, ...rest };
      const answer = await connection().call('plan', sent, signal);
      last = answer;
      return answer.plan;
    },
    ...(trigger ? { trigger } : {}),
    status() {
      if (last.statusFailure) throw receiveError(last.statusFailure);
      return last.status;
    },
    session: {
      start: (info) => connection().call('start', { info }),
      async turn(messages, usage) {
        await connection().call('turn', { messages, usage });
      },
      async end(messages) {
        try {
          await connection().call('end', { messages });
        } finally {
          current.connection.terminate();
        }
      },
    },
    ...(tools
      ? {
          tools: {
            schemas: tools,
            handle: (name, input, { messages, signal }) => connection().call('tool', { name, input, messages }, signal),
          },
        }
      : {}),
  };
  collected.register(planner, current.connection);
  return planner;
}

/** Ends the worker of an engine that was dropped without the end of its session. */
const collected: FinalizationRegistry<WorkerConnection> = new FinalizationRegistry((connection) =>
  connection.terminate(),
);

function infoOf(summarizer: Summarizer | undefined): SummarizerInfo | null {
  if (!summarizer) return null;
  return { id: summarizer.id, contextLength: summarizer.contextLength, offline: summarizer.offline };
}

/** The current handoff key as a string, because a function cannot be sent to a worker. */
function keyOf({ handoffKey }: EngineHost): string | undefined {
  return typeof handoffKey === 'function' ? handoffKey() : handoffKey;
}

function sentTranscript(transcript: Transcript, host: EngineHost): SentTranscript {
  const { messages } = transcript;
  const requests: number[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'user' && host.isRequest(message, index, messages)) requests.push(index);
  });
  const tokens = messages.map((_, index) => transcript.tokens(index));
  return { messages, tokens, requests, handoffKey: keyOf(host) };
}

/**
 * Handles events and summarizer requests from the worker. The host validates and masks both, as for any foreign engine.
 */
function answerFor(connection: WorkerConnection, host: EngineHost): (asked: Asks) => void {
  const running = new Map<number, AbortController>();
  connection.ended.addEventListener('abort', () => {
    for (const controller of running.values()) controller.abort();
  });
  return (asked) => {
    if (asked.kind === 'event') return host.emit(asked.event as ContextEvent);
    if (asked.kind === 'summarize-abort') return running.get(asked.id)?.abort();
    const { id, which, request } = asked;
    const controller = new AbortController();
    running.set(id, controller);
    const summarize = async (): Promise<void> => {
      try {
        const summarizer = host[which];
        if (!summarizer) throw new Error(`there is no ${which}`);
        const response = await summarizer.summarize({ ...request, signal: controller.signal } as SummarizeRequest);
        connection.send({ kind: 'summarized', id, response });
      } catch (error) {
        connection.send({ kind: 'summary-failed', id, error: sendError(error) });
      } finally {
        running.delete(id);
      }
    };
    void summarize();
  };
}
