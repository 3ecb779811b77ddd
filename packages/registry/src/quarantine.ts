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
import type { EngineCandidate } from './engine-candidate.ts';
import { EngineCrew, type EngineFailure } from './engine-crew.ts';
import { passThroughName } from './pass-through.ts';

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
  /** `final`: out of service permanently. Other engines are tried again later, after a restart too. */
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
export function quarantine(
  candidates: readonly [EngineCandidate, ...EngineCandidate[]],
  { host, exhausted = 'pass-through' }: QuarantineOptions,
): ContextEngine {
  const crew = new EngineCrew(candidates, host, exhausted === 'throw' ? 'none' : passThroughName);
  let queue: Promise<unknown> = Promise.resolve();

  const refuse = (failures: readonly EngineFailure[]): never => {
    const { engine, reason } = failures.at(-1) ?? crew.outOfService.at(-1)!;
    const what = crew.isExhausted ? 'was taken out of service' : 'failed on this transcript';
    throw new PalimpsestError(
      'ENGINE_FAILED',
      `Engine "${engine}" ${what} (${reason}), and the configuration names no fallback. The transcript is unchanged. Set context.fallback, or use another engine.`,
      { engine, reason },
    );
  };

  const compress = async <M extends Message>(
    messages: readonly M[],
    request: CompressRequest | undefined,
  ): Promise<CompressResult<M>> => {
    crew.beginCall();
    const failures: EngineFailure[] = [];
    for (;;) {
      const member = crew.serving();
      if (!member && exhausted === 'throw') refuse(failures);
      await crew.starting;
      try {
        const result = await crew.engineOf(member).compress(messages, request);
        if (member) crew.succeeded(member);
        return withWarnings(result, failures);
      } catch (error) {
        if (request?.signal?.aborted || !member) throw error;
        failures.push(crew.failed(member, error));
      }
    }
  };

  const current = (): ContextEngine => crew.current();
  current();
  return {
    name: candidates[0].name,
    get state() {
      return current().state;
    },
    updateFromResponse: (reported) => crew.updateFromResponse(reported),
    shouldCompress: (promptTokens) => current().shouldCompress(promptTokens),
    explain: (promptTokens) => current().explain(promptTokens),
    compress(messages, request) {
      checkMessages(messages);
      const run = queue.then(() => compress(messages, request));
      queue = run.catch(() => undefined);
      return run;
    },
    hasContentToCompress: (messages) => current().hasContentToCompress(messages),
    onSessionStart: (info) => crew.startSession(info),
    onSessionEnd: (messages) => crew.endSession(messages),
    onSessionReset: () => current().onSessionReset(),
    toolSchemas: () => current().toolSchemas(),
    handleToolCall: (name, input, context) => current().handleToolCall(name, input, context),
    status: () => current().status(),
    updateModel: (model) => crew.updateModel(model),
    snapshot(): QuarantineSnapshot {
      const snapshot = current().snapshot();
      return crew.outOfService.length === 0 ? snapshot : { ...snapshot, quarantined: crew.outOfService };
    },
    restore(snapshot: QuarantineSnapshot) {
      for (const entry of Array.isArray(snapshot?.quarantined) ? snapshot.quarantined : [])
        crew.remember(entry?.engine, String(entry?.reason), entry?.final === true);
      current().restore(snapshot);
    },
  };
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
