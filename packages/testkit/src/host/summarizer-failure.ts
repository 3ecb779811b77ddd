/** The classes of failure that engines distinguish. */
export type SummarizerFailureClass =
  | 'access'
  | 'network'
  | 'transient'
  | 'missing-model'
  | 'bad-output'
  | 'overflow'
  | 'unknown'
  | 'cancelled';

/** A way a summarizer can fail. */
export type SummarizerFailure =
  /** The provider answers with an error status; `code` is the provider's error code. */
  | {
      readonly failure: 'status';
      readonly status: number;
      readonly code?: string | undefined;
      readonly message?: string | undefined;
      readonly retryAfterMs?: number | undefined;
    }
  /** The connection fails; `code` is Node's, such as `ECONNREFUSED`. `wrapped`: as `fetch` reports it, under `cause`. */
  | { readonly failure: 'network'; readonly code: string; readonly wrapped?: boolean | undefined }
  /** Throws `value`, which can be anything. */
  | { readonly failure: 'throws'; readonly value: unknown }
  /** Answers with the HTML error page of a proxy. */
  | { readonly failure: 'html' }
  | { readonly failure: 'empty' }
  | { readonly failure: 'refusal' }
  /** The answer is cut off in the middle, with `finishReason: 'length'`. */
  | { readonly failure: 'cut-off' }
  /** The answer has at least `characters` characters; by default more than the material it summarizes. */
  | { readonly failure: 'too-long'; readonly characters?: number | undefined }
  /** Answers with prose without the requested headings. */
  | { readonly failure: 'no-headings' }
  /** Does not answer until the caller's signal aborts. */
  | { readonly failure: 'stall' }
  /** Rejects with an `AbortError` at once, as if the caller had cancelled. */
  | { readonly failure: 'abort' };

/** A row of the failure table. */
export interface FailureRow {
  readonly name: string;
  readonly class: SummarizerFailureClass;
  readonly reply: SummarizerFailure;
}

const status = (code: number, kind: SummarizerFailureClass, word?: string, message?: string): FailureRow => ({
  name: word ? `${code} ${word}` : String(code),
  class: kind,
  reply: { failure: 'status', status: code, code: word, message },
});

const network = (code: string, kind: SummarizerFailureClass = 'network'): FailureRow[] => [
  { name: code, class: kind, reply: { failure: 'network', code } },
  { name: `${code} under fetch`, class: kind, reply: { failure: 'network', code, wrapped: true } },
];

/** Every kind of failure with its expected class. `stall` lasts until the engine's own timeout. */
export const summarizerFailures: readonly FailureRow[] = [
  status(401, 'access'),
  status(403, 'access'),
  status(402, 'access'),
  status(400, 'access', 'invalid_api_key', 'Incorrect API key provided.'),
  status(429, 'access', 'insufficient_quota', 'You exceeded your current quota.'),
  ...network('ECONNREFUSED'),
  ...network('ECONNRESET'),
  ...network('ENOTFOUND'),
  ...network('EAI_AGAIN'),
  ...network('UND_ERR_SOCKET'),
  ...[408, 409, 429, 500, 502, 503, 504, 529].map((code) => status(code, 'transient')),
  ...network('ETIMEDOUT', 'transient'),
  { name: 'stall', class: 'transient', reply: { failure: 'stall' } },
  status(404, 'missing-model'),
  status(400, 'missing-model', 'model_not_found', 'The model does not exist.'),
  { name: 'html', class: 'bad-output', reply: { failure: 'html' } },
  { name: 'empty', class: 'bad-output', reply: { failure: 'empty' } },
  { name: 'refusal', class: 'bad-output', reply: { failure: 'refusal' } },
  { name: 'cut off', class: 'bad-output', reply: { failure: 'cut-off' } },
  { name: 'too long', class: 'bad-output', reply: { failure: 'too-long' } },
  { name: 'no headings', class: 'bad-output', reply: { failure: 'no-headings' } },
  status(400, 'overflow', 'context_length_exceeded', "This model's maximum context length is 8192 tokens."),
  status(413, 'overflow', 'request_too_large', 'Request exceeds the maximum size.'),
  status(418, 'unknown'),
  { name: 'a thrown error', class: 'unknown', reply: { failure: 'throws', value: new Error('something else') } },
  { name: 'a thrown text', class: 'unknown', reply: { failure: 'throws', value: 'no error object' } },
  { name: 'thrown nothing', class: 'unknown', reply: { failure: 'throws', value: undefined } },
];

/** The error of a failure; `null` if the failure is a bad answer or no answer. */
export function failureError(reply: SummarizerFailure): { readonly value: unknown } | null {
  if (reply.failure === 'status') {
    const { status: code, code: word, message, retryAfterMs } = reply;
    const error = new Error(message ?? `${code} status code (no body)`);
    return { value: Object.assign(error, { status: code, code: word ?? null, retryAfterMs }) };
  }
  if (reply.failure === 'network') {
    const inner = Object.assign(new Error(`connect ${reply.code}`), { code: reply.code });
    return { value: reply.wrapped ? new TypeError('fetch failed', { cause: inner }) : inner };
  }
  if (reply.failure === 'abort') return { value: new DOMException('This operation was aborted', 'AbortError') };
  return reply.failure === 'throws' ? { value: reply.value } : null;
}
