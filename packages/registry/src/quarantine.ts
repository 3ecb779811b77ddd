import {
  type CompressRequest,
  type CompressResult,
  type ContextEngine,
  checkMessages,
  type EngineHost,
  type EngineSnapshot,
  type Message,
  type ModelInfo,
  PalimpsestError,
  type SessionInfo,
  type Usage,
} from '@palimpsest/core';
import type { EngineCandidate } from './engine-candidate.ts';
import { failureReason } from './failure-reason.ts';
import { createPassThrough, passThroughName } from './pass-through.ts';

export interface QuarantineOptions {
  readonly host: EngineHost;
  /**
   * When every candidate has failed: `pass-through` leaves transcripts as they are, `throw` makes `compress` reject with
   * `ENGINE_FAILED`. @default 'pass-through'
   */
  readonly exhausted?: 'pass-through' | 'throw' | undefined;
}

/** A snapshot that remembers who was taken out of service, so that a restart does not put it back. JSON. */
export interface QuarantineSnapshot extends EngineSnapshot {
  readonly quarantined?: readonly { readonly engine: string; readonly reason: string }[] | undefined;
}

/**
 * One engine made of several: the first candidate serves until it fails, then the next takes over for good, told of the
 * model, the last usage and the session. A failing `compress` is served by the next candidate at once, on the transcript
 * as it came in; `engine-quarantined` is emitted once for each engine taken out of service.
 *
 * Failing means: cannot be created, no budget for a model, or a `compress` that throws for any reason but the caller's
 * own (messages that are none, a cancelled signal).
 */
export function quarantine(
  candidates: readonly [EngineCandidate, ...EngineCandidate[]],
  { host, exhausted = 'pass-through' }: QuarantineOptions,
): ContextEngine {
  const out: { engine: string; reason: string }[] = [];
  let model: ModelInfo | null = null;
  let usage: Usage | null = null;
  let session: SessionInfo | null = null;
  let starting: Promise<void> = Promise.resolve();
  let queue: Promise<unknown> = Promise.resolve();

  /** The engine of the first candidate that is not out of service and can be made, brought up to what is known. */
  const nextEngine = (): ContextEngine => {
    for (let next = candidates[out.length]; next; next = candidates[out.length]) {
      try {
        const engine = next.create();
        if (model) engine.updateModel(model);
        return engine;
      } catch (error) {
        // What the configuration got wrong is for the caller to mend before anything runs.
        if (out.length === 0 && PalimpsestError.is(error) && error.code === 'OPTION_INVALID') throw error;
        retire(next.name, failureReason(error, host.redact));
      }
    }
    const engine = createPassThrough(
      host,
      out.map((entry) => entry.engine),
    );
    if (model) engine.updateModel(model);
    return engine;
  };
  const retire = (engine: string, reason: string): void => {
    out.push({ engine, reason });
    const next = candidates[out.length]?.name ?? (exhausted === 'throw' ? 'none' : passThroughName);
    host.emit({ type: 'engine-quarantined', engine, fallback: next, reason });
  };
  const replace = (error: unknown): void => {
    retire(candidates[out.length]!.name, failureReason(error, host.redact));
    serving = nextEngine();
    if (usage) serving.updateFromResponse(usage);
    if (session) {
      const info = model ? { ...session, model } : session;
      starting = serving.onSessionStart(info).catch(() => undefined);
    }
  };
  const isExhausted = (): boolean => out.length === candidates.length;
  const refuse = (): never => {
    const { engine, reason } = out.at(-1)!;
    throw new PalimpsestError(
      'ENGINE_FAILED',
      `Engine "${engine}" was taken out of service (${reason}), and the configuration names no fallback. The transcript is unchanged. Set context.fallback, or use another engine.`,
      { engine, reason },
    );
  };

  const compress = async <M extends Message>(
    messages: readonly M[],
    request: CompressRequest | undefined,
  ): Promise<CompressResult<M>> => {
    const before = out.length;
    for (;;) {
      if (isExhausted() && exhausted === 'throw') refuse();
      await starting;
      try {
        return withWarnings(await serving.compress(messages, request), out.slice(before));
      } catch (error) {
        if (request?.signal?.aborted || isExhausted()) throw error;
        replace(error);
      }
    }
  };

  let serving = nextEngine();
  return {
    name: candidates[0].name,
    get state() {
      return serving.state;
    },
    updateFromResponse(reported) {
      usage = reported;
      serving.updateFromResponse(reported);
    },
    shouldCompress: (promptTokens) => serving.shouldCompress(promptTokens),
    explain: (promptTokens) => serving.explain(promptTokens),
    compress(messages, request) {
      checkMessages(messages);
      const run = queue.then(() => compress(messages, request));
      queue = run.catch(() => undefined);
      return run;
    },
    hasContentToCompress: (messages) => serving.hasContentToCompress(messages),
    async onSessionStart(info) {
      if (info.model) this.updateModel(info.model);
      session = info;
      await serving.onSessionStart(info);
    },
    async onSessionEnd(messages) {
      session = null;
      await serving.onSessionEnd(messages);
    },
    onSessionReset: () => serving.onSessionReset(),
    toolSchemas: () => serving.toolSchemas(),
    handleToolCall: (name, input, context) => serving.handleToolCall(name, input, context),
    status: () => serving.status(),
    updateModel(next) {
      model = next;
      try {
        serving.updateModel(next);
      } catch (error) {
        if (isExhausted()) throw error;
        replace(error);
      }
    },
    snapshot(): QuarantineSnapshot {
      const snapshot = serving.snapshot();
      return out.length === 0 ? snapshot : { ...snapshot, quarantined: out.map((entry) => ({ ...entry })) };
    },
    restore(snapshot: QuarantineSnapshot) {
      for (const entry of Array.isArray(snapshot?.quarantined) ? snapshot.quarantined : [])
        if (!isExhausted() && entry?.engine === candidates[out.length]!.name) replace(new Error(String(entry.reason)));
      serving.restore(snapshot);
    },
  };
}

function withWarnings<M extends Message>(
  result: CompressResult<M>,
  retired: readonly { readonly engine: string; readonly reason: string }[],
): CompressResult<M> {
  if (retired.length === 0) return result;
  const warnings = retired.map(({ engine, reason }) => `Engine "${engine}" was taken out of service: ${reason}`);
  return { ...result, report: { ...result.report, warnings: [...warnings, ...result.report.warnings] } };
}
