import { type Message, PalimpsestError } from '@palimpsest/core';
import { type PreparedRequest, type RequestOptions, toPreparedRequest } from '../conversation/prepared-request.ts';
import { errorReason } from '../events/error-reason.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/** True for an error that the caller caused and has to see. The session works around all other errors. */
export function isCallerError(error: unknown): boolean {
  return PalimpsestError.is(error) && (error.code === 'ABORTED' || error.code === 'MESSAGES_INVALID');
}

/** Returns the request unchanged, because the session failed to prepare it. */
export function passThrough<M extends Message, O extends RequestOptions>(
  { events }: SessionParts,
  source: readonly M[],
  options: O,
  error: unknown,
): PreparedRequest<M, O> {
  events.publish({ type: 'request-passed-through', reason: errorReason(error) });
  return toPreparedRequest<M, O>(source, options, options.system, {
    tokens: 0,
    estimatedTokens: 0,
    decision: null,
    checkpoint: null,
    compactions: [],
    warnings: ['The session could not prepare this conversation, so it was sent unchanged.'],
    maxTokens: options.maxTokens ?? undefined,
    provenance: {
      output: source.map((_, from) => ({ kind: 'original', from })),
      source: source.map((_, at) => ({ kind: 'kept', at })),
    },
  });
}
