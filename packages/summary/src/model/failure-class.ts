import { PalimpsestError } from '@palimpsest/core';
import { classifyProviderError, type ProviderError } from '@palimpsest/provider-errors';

/** What went wrong with a summarizer, as far as it decides what happens next. */
export type FailureClass =
  | 'access'
  | 'network'
  | 'transient'
  | 'missing-model'
  | 'bad-output'
  | 'overflow'
  | 'unknown'
  | 'cancelled';

/** A failure, classified. `reason` is in our own words: a provider's prose may quote the conversation or a key. */
export interface Failure {
  readonly class: FailureClass;
  readonly reason: string;
  /** A connection that broke while the answer was coming, which heals sooner than a refused one. */
  readonly closedStream: boolean;
  /** How long the provider asked to wait; 0 when it did not. */
  readonly retryAfterMs: number;
  /** The HTTP status, where there was one. */
  readonly status?: number | undefined;
}

const classes: ReadonlySet<string> = new Set<FailureClass>([
  'access',
  'network',
  'transient',
  'missing-model',
  'bad-output',
  'overflow',
  'unknown',
  'cancelled',
]);

/** Classifies an error thrown by a summarizer: our own errors by their class, others by the provider's report. */
export function classifyError(error: unknown): Failure {
  const found = classifyProviderError(error);
  const own = ownDetails(error);
  const name = own ? (own.class as FailureClass) : classOf(found);
  return {
    class: name,
    reason: typeof own?.reason === 'string' ? own.reason : describe(found),
    closedStream: name === 'network' && (own ? own.closedStream === true : found.about === 'closed'),
    retryAfterMs: found.retryAfterMs ?? 0,
    status: found.status ?? undefined,
  };
}

/** A failure found by our own code, such as an answer that cannot be used. */
export function ownFailure(name: FailureClass, reason: string): Failure {
  return { class: name, reason, closedStream: false, retryAfterMs: 0 };
}

/** Details of the first error in the chain of causes that is ours and names a failure class; else `null`. */
function ownDetails(error: unknown): Readonly<Record<string, unknown>> | null {
  try {
    let link = error;
    for (let depth = 0; depth < 6 && typeof link === 'object' && link !== null; depth++) {
      if (PalimpsestError.is(link) && classes.has(String(link.details.class))) return link.details;
      link = (link as { readonly cause?: unknown }).cause;
    }
  } catch {
    // A getter of a third-party error threw.
  }
  return null;
}

function classOf({ kind, about }: ProviderError): FailureClass {
  switch (kind) {
    case 'access':
      return 'access';
    case 'context-overflow':
    case 'payload-too-large':
      return 'overflow';
    case 'rate-limit':
    case 'server':
      return 'transient';
    case 'network':
      return about === 'timeout' ? 'transient' : 'network';
    default:
      if (about === 'model') return 'missing-model';
      return about === 'not-json' ? 'bad-output' : 'unknown';
  }
}

/** Describes a failure by status and code only. */
function describe({ status, code }: ProviderError): string {
  const parts = [status === null ? '' : `status ${status}`, code && code !== 'SUMMARIZER_FAILED' ? code : ''];
  return parts.filter(Boolean).join(', ') || 'no further detail';
}
