import {
  type ContextEngine,
  type EngineHost,
  type EngineSnapshot,
  type ModelInfo,
  PalimpsestError,
  type SessionInfo,
  type Usage,
} from '@palimpsest/core';
import { checkCompressOptions, checkMessages, checkModel } from '@palimpsest/core/authoring';
import { failureReason, maskError } from '../failure-reason.ts';

/** The snapshot of the engine in service. `replaced` is the engine that failed before, so that it stays replaced after a restart. */
interface FallbackSnapshot extends EngineSnapshot {
  readonly replaced?: { readonly engine: string; readonly reason: string } | undefined;
}

/**
 * Combines two engines into one. When the main engine throws, breaks the contract or does not settle in time, the fallback
 * handles the same call and serves for the rest of the session; `engine-replaced` and the report say so. A tool call that
 * fails replaces nothing, because a model wrote its input.
 */
export function withFallback(main: ContextEngine, fallback: ContextEngine | null, host: EngineHost): ContextEngine {
  const pair = new EnginePair(main, fallback, host);
  return {
    name: main.name,
    get state() {
      return pair.current.state;
    },
    updateFromResponse(usage) {
      pair.usage = usage;
      pair.now((engine) => engine.updateFromResponse(usage));
    },
    shouldCompress: (promptTokens) => pair.now((engine) => engine.shouldCompress(promptTokens)),
    explain: (promptTokens) => pair.now((engine) => engine.explain(promptTokens)),
    async compress(messages, asked = {}) {
      // A mistake of the caller is not a failure of the engine.
      checkMessages(messages);
      checkCompressOptions(asked);
      if (asked.source) checkMessages(asked.source.messages);
      const result = await pair.later((engine) => engine.compress(messages, asked), asked.signal);
      const notice = pair.takeNotice();
      return notice === null
        ? result
        : { ...result, report: { ...result.report, warnings: [notice, ...result.report.warnings] } };
    },
    async onSessionStart(info) {
      if (info.model) checkModel(info.model);
      pair.model = info.model ?? pair.model;
      await pair.later((engine) => engine.onSessionStart(info));
      // Only now: if the engine fails at its start, the repeated call starts the fallback.
      pair.session = info;
    },
    onResponse: (messages, usage) => pair.later((engine) => engine.onResponse(messages, usage)),
    async onSessionEnd(messages) {
      pair.session = null;
      await pair.later((engine) => engine.onSessionEnd(messages));
      // It may still hold files or connections.
      if (pair.current !== main) await main.onSessionEnd(messages).catch(() => undefined);
    },
    onSessionReset: () => pair.now((engine) => engine.onSessionReset()),
    toolSchemas: () => pair.now((engine) => engine.toolSchemas()),
    handleToolCall: (name, input, context) => pair.current.handleToolCall(name, input, context),
    status: () => pair.now((engine) => engine.status()),
    async updateModel(model) {
      checkModel(model);
      pair.model = model;
      await pair.later((engine) => engine.updateModel(model));
    },
    snapshot: () => pair.snapshot(),
    restore: (snapshot) => pair.restore(snapshot),
  };
}

/** A main engine and its fallback: which one serves, and what the fallback needs to know when it takes over. */
class EnginePair {
  readonly #main: ContextEngine;
  readonly #fallback: ContextEngine | null;
  readonly #host: EngineHost;
  #replaced: FallbackSnapshot['replaced'];
  #notice: string | null = null;
  /** Settles when the engine in service knows the model and the session. Never rejects. */
  #ready: Promise<unknown> = Promise.resolve();
  /** The engine in service. */
  current: ContextEngine;
  model: ModelInfo | null = null;
  usage: Usage | null = null;
  session: SessionInfo | null = null;

  constructor(main: ContextEngine, fallback: ContextEngine | null, host: EngineHost) {
    this.#main = main;
    this.#fallback = fallback;
    this.#host = host;
    this.current = main;
  }

  /** Makes a synchronous call, with the fallback if the engine throws. */
  now<T>(call: (engine: ContextEngine) => T): T {
    const engine = this.current;
    try {
      return call(engine);
    } catch (error) {
      this.#noteFailure(engine, error);
      return this.now(call);
    }
  }

  /** Makes an asynchronous call, with the fallback if it rejects and the caller did not cancel it. */
  async later<T>(call: (engine: ContextEngine) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#ready;
    const engine = this.current;
    try {
      return await call(engine);
    } catch (error) {
      if (signal?.aborted) throw error;
      this.#noteFailure(engine, error);
      return this.later(call, signal);
    }
  }

  /** Says once that the engine was replaced. */
  takeNotice(): string | null {
    const notice = this.#notice;
    this.#notice = null;
    return notice;
  }

  snapshot(): FallbackSnapshot {
    const snapshot = this.current.snapshot();
    return this.#replaced ? { ...snapshot, replaced: this.#replaced } : snapshot;
  }

  restore(snapshot: FallbackSnapshot): Promise<void> {
    const { engine, reason } = snapshot?.replaced ?? {};
    if (engine === this.#main.name && this.current === this.#main && this.#fallback)
      this.#replace(this.#fallback, failureReason(reason, this.#host.redact));
    return this.later((current) => current.restore(snapshot));
  }

  /** @throws {PalimpsestError} `ENGINE_FAILED` when no other engine is left */
  #noteFailure(engine: ContextEngine, error: unknown): void {
    // Another call has failed before.
    if (engine !== this.current) return;
    const { redact } = this.#host;
    const reason = failureReason(error, redact);
    if (engine === this.#main && this.#fallback) {
      this.#replace(this.#fallback, reason);
      return;
    }
    const advice = this.#fallback ? '' : ' Set context.fallback, or use another engine.';
    throw new PalimpsestError(
      'ENGINE_FAILED',
      `Engine "${engine.name}" failed, and the transcript is unchanged: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}${advice}`,
      { engine: engine.name, reason },
      { cause: maskError(error, redact) },
    );
  }

  #replace(fallback: ContextEngine, reason: string): void {
    const { name } = this.#main;
    this.#replaced = { engine: name, reason };
    this.#notice = `Engine "${name}" failed and was replaced by "${fallback.name}" for the rest of the session: ${reason}`;
    this.current = fallback;
    this.#host.emit({ type: 'engine-replaced', engine: name, fallback: fallback.name, reason });
    // A budget that fails here fails again in the next call, which reports it.
    this.#ready = this.#informFallback(fallback).catch(() => undefined);
  }

  async #informFallback(fallback: ContextEngine): Promise<void> {
    const { model, usage, session } = this;
    if (model) await fallback.updateModel(model);
    if (usage) fallback.updateFromResponse(usage);
    if (session) await fallback.onSessionStart(model ? { ...session, model } : session);
  }
}
