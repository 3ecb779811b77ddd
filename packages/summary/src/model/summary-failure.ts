import { PalimpsestError } from '@palimpsest/core';
import { classifyProviderError, type ProviderError } from '@palimpsest/provider-errors';

/** The class of a summarizer's failure. It decides the cooldown and whether smaller parts are tried. */
export type SummaryFailureClass =
  | 'access'
  | 'network'
  | 'transient'
  | 'missing-model'
  | 'bad-output'
  | 'overflow'
  | 'unknown'
  | 'cancelled';

/** A classified failure of a summarizer. */
export interface SummaryFailure {
  readonly class: SummaryFailureClass;
  /** A fixed text, because a provider's message may quote the conversation or a key. */
  readonly reason: string;
  /** True if the connection broke during the answer, which is retried sooner than a refused connection. */
  readonly closedStream: boolean;
  /** The wait that the provider asked for, in milliseconds; 0 for none. */
  readonly retryAfterMs: number;
  /** The HTTP status, if there was one. */
  readonly status?: number | undefined;
}

const classes: ReadonlySet<string> = new Set<SummaryFailureClass>([
  'access',
  'network',
  'transient',
  'missing-model',
  'bad-output',
  'overflow',
  'unknown',
  'cancelled',
]);

/**
 * Classifies an error thrown by a summarizer: a `PalimpsestError` by the class in its details, any other as a provider
 * error. Never throws.
 */
export function classifyError(error: unknown): SummaryFailure {
  const found = classifyProviderError(error);
  const own = ownDetails(error);
  const name = own ? (own.class as SummaryFailureClass) : classOf(found);
  return {
    class: name,
    reason: typeof own?.reason === 'string' ? own.reason : describe(found),
    closedStream: name === 'network' && (own ? own.closedStream === true : found.about === 'closed'),
    retryAfterMs: found.retryAfterMs ?? 0,
    status: found.status ?? undefined,
  };
}

/** A failure that this package found, such as an unusable answer. */
export function ownFailure(name: SummaryFailureClass, reason: string): SummaryFailure {
  return { class: name, reason, closedStream: false, retryAfterMs: 0 };
}

/** The details of the first `PalimpsestError` in the chain of causes that names a failure class; otherwise `null`. */
function ownDetails(error: unknown): Readonly<Record<string, unknown>> | null {
  try {
    let link = error;
    for (let depth = 0; depth < 6 && typeof link === 'object' && link !== null; depth++) {
      if (PalimpsestError.is(link) && classes.has(String(link.details.class))) return link.details;
      link = (link as { readonly cause?: unknown }).cause;
    }
  } catch {
    // A getter of a third-party error may throw.
  }
  return null;
}

function classOf({ kind, about }: ProviderError): SummaryFailureClass {
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
