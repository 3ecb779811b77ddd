import {
  type CompressRequest,
  type CompressResult,
  type ContextEngine,
  type EngineHost,
  type EngineSnapshot,
  type Message,
  PalimpsestError,
} from '@palimpsest/core';
import { checkMessages } from '@palimpsest/core/authoring';
import type { EngineCandidate } from '../engines/engine-candidate.ts';
import { EnginePool } from './engine-pool.ts';
import { passThroughName } from './pass-through.ts';
import type { EngineFailure } from './pool-member.ts';

export interface QuarantineOptions {
  readonly host: EngineHost;
  /**
   * Behaviour when every candidate has failed: `pass-through` returns transcripts unchanged, `throw` makes `compress`
   * reject with `ENGINE_FAILED`. @default 'pass-through'
   */
  readonly exhausted?: 'pass-through' | 'throw' | undefined;
}

/** A snapshot (JSON) that includes the engines out of service, so that a restart does not bring them back. */
export interface QuarantineSnapshot extends EngineSnapshot {
  /** `final`: permanently out of service. The others are tried again later, even after a restart. */
  readonly quarantined?:
    | readonly { readonly engine: string; readonly reason: string; readonly final?: true }[]
    | undefined;
}

/**
 * Combines several engines into one. The first candidate in service handles each call; if it fails, the next one
 * handles the same call with the unchanged transcript. The kind of failure decides whether the engine stays in service:
 *
 * - Contract violation (invalid plan, timeout, ended worker, no budget, cannot be created): permanently out of service.
 * - Thrown error: the input may be the cause, so the engine sits out one call, then two, four and so on for further
 *   failures in a row. `engine-restored` reports that it works again.
 * - Built-in engine: stays in service after any failed call. `engine-method-failed` reports the failed call.
 *
 * `engine-quarantined` is emitted each time an engine is taken out of service. Failures caused by the caller (no
 * messages, a cancelled signal) do not count.
 */
export async function quarantine(
  candidates: readonly [EngineCandidate, ...EngineCandidate[]],
  { host, exhausted = 'pass-through' }: QuarantineOptions,
): Promise<ContextEngine> {
  const pool = await EnginePool.of(candidates, host, exhausted === 'throw' ? 'none' : passThroughName);
  let queue: Promise<unknown> = Promise.resolve();
  return {
    name: candidates[0].name,
    get state() {
      return pool.current.state;
    },
    updateFromResponse: (reported) => pool.updateFromResponse(reported),
    shouldCompress: (promptTokens) => pool.current.shouldCompress(promptTokens),
    explain: (promptTokens) => pool.current.explain(promptTokens),
    async compress(messages, request) {
      checkMessages(messages);
      const run = queue.then(() => compressWithPool(pool, exhausted, messages, request));
      queue = run.catch(() => undefined);
      return run;
    },
    hasContentToCompress: (messages) => pool.current.hasContentToCompress(messages),
    onSessionStart: (info) => pool.startSession(info),
    // Outside the pool's queue: a slow engine delays neither a change of model nor its replacement.
    onTurn: async (messages, usage) => (await pool.serve()).engine.onTurn(messages, usage),
    onSessionEnd: (messages) => pool.endSession(messages),
    onSessionReset: () => pool.current.onSessionReset(),
    toolSchemas: () => pool.current.toolSchemas(),
    handleToolCall: (name, input, context) => pool.current.handleToolCall(name, input, context),
    status: () => pool.current.status(),
    updateModel: (model) => pool.updateModel(model),
    snapshot(): QuarantineSnapshot {
      const snapshot = pool.current.snapshot();
      return pool.outOfService.length === 0 ? snapshot : { ...snapshot, quarantined: pool.outOfService };
    },
    restore(snapshot: QuarantineSnapshot) {
      for (const entry of Array.isArray(snapshot?.quarantined) ? snapshot.quarantined : [])
        pool.remember(entry?.engine, String(entry?.reason), entry?.final === true);
      return pool.withCurrent((engine) => engine.restore(snapshot));
    },
  };
}

/** Compresses with the first engine in service, and with the next ones while engines fail. */
async function compressWithPool<M extends Message>(
  pool: EnginePool,
  exhausted: 'pass-through' | 'throw',
  messages: readonly M[],
  request: CompressRequest | undefined,
): Promise<CompressResult<M>> {
  pool.beginCall();
  const failures: EngineFailure[] = [];
  try {
    for (;;) {
      const { member, engine } = await pool.serve();
      if (!member && exhausted === 'throw') throw exhaustedError(pool, failures);
      try {
        const result = await engine.compress(messages, request);
        if (member) pool.succeeded(member);
        return withWarnings(result, failures);
      } catch (error) {
        if (request?.signal?.aborted || !member) throw error;
        failures.push(pool.failed(member, error));
      }
    }
  } finally {
    await pool.endCall();
  }
}

function exhaustedError(pool: EnginePool, failures: readonly EngineFailure[]): PalimpsestError {
  const { engine, reason } = failures.at(-1) ?? pool.outOfService.at(-1)!;
  const what = pool.isExhausted ? 'was taken out of service' : 'failed on this transcript';
  return new PalimpsestError(
    'ENGINE_FAILED',
    `Engine "${engine}" ${what} (${reason}), and no fallback is configured. The transcript is unchanged. Set context.fallback, or use another engine.`,
    { engine, reason },
  );
}

function withWarnings<M extends Message>(
  result: CompressResult<M>,
  failures: readonly EngineFailure[],
): CompressResult<M> {
  if (failures.length === 0) return result;
  const warnings = failures.map(
    ({ engine, reason, stays }) =>
      `Engine "${engine}" ${stays ? 'failed on this transcript' : 'was taken out of service'}: ${reason}`,
  );
  return { ...result, report: { ...result.report, warnings: [...warnings, ...result.report.warnings] } };
}
