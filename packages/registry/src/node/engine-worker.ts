import { type ContextEvent, type EngineHost, PalimpsestError, type SummarizeRequest } from '@palimpsest/core';
import { sendError } from './sent-error.ts';
import type { Asks, WorkerConnection } from './worker-connection.ts';
import type { CallName, Calls, CreateAnswer } from './worker-protocol.ts';

interface Started {
  readonly connection: WorkerConnection;
  readonly created: CreateAnswer;
}

/** The worker of one engine. A worker that ended, with its session or after a cancelled call, is replaced when needed. */
export class EngineWorker {
  readonly #take: () => WorkerConnection;
  readonly #parameters: Calls['create']['parameters'];
  readonly #host: EngineHost;
  #connection: WorkerConnection | null = null;
  #starting: Promise<Started> | null = null;

  /** @param take returns a running worker without an engine, or starts one */
  constructor(take: () => WorkerConnection, parameters: Calls['create']['parameters'], host: EngineHost) {
    this.#take = take;
    this.#parameters = parameters;
    this.#host = host;
  }

  /** Creates the engine in the worker. */
  async create(signal?: AbortSignal): Promise<CreateAnswer> {
    return (await this.#ready(signal)).created;
  }

  async call<Name extends CallName>(
    name: Name,
    parameters: Calls[Name]['parameters'],
    signal?: AbortSignal,
  ): Promise<Calls[Name]['answer']> {
    const { connection } = await this.#ready(signal);
    return connection.call(name, parameters, signal);
  }

  end(): void {
    this.#connection?.terminate();
  }

  #ready(signal: AbortSignal | undefined): Promise<Started> {
    const connection = this.#connection;
    // A worker that has not confirmed a cancellation may be terminated at any moment, together with its next call.
    if (connection?.cancelling) connection.terminate();
    const broken = connection?.broken ?? null;
    if (broken !== null) return Promise.reject(new PalimpsestError('ENGINE_FAILED', broken, { reason: broken }));
    if (!this.#starting || !connection?.alive) this.#starting = this.#start(signal);
    return this.#starting;
  }

  async #start(signal: AbortSignal | undefined): Promise<Started> {
    const connection = this.#take();
    this.#connection = connection;
    dropped.register(this, connection);
    connection.listen(answerFor(connection, this.#host));
    try {
      return { connection, created: await connection.call('create', this.#parameters, signal) };
    } catch (error) {
      connection.terminate();
      throw error;
    }
  }
}

/** Ends the worker of an engine that was dropped before the end of its session. */
const dropped: FinalizationRegistry<WorkerConnection> = new FinalizationRegistry((connection) =>
  connection.terminate(),
);

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
