import { InvalidStatusError, type UpstreamConnection } from './upstream-fetch.ts';

/** Why the proxy does not pass a request on. */
export interface Refusal {
  readonly status: number;
  /** A fixed word, such as `rate_limited`. */
  readonly type: string;
  readonly message: string;
  /** Seconds after which the client may try again. */
  readonly retryAfter?: number | undefined;
}

export const noSuchPath: Refusal = {
  status: 404,
  type: 'not_found',
  message: 'there is no such path; base URLs end with /openai/v1, /anthropic, /gemini, /vertex/v1, /bedrock or /ollama',
};

export const loop: Refusal = {
  status: 508,
  type: 'loop_detected',
  message:
    'the proxy received its own request: the address of the provider is that of the proxy. Check the addresses of providers where the proxy was started: flags such as --openai, and variables such as OPENAI_BASE_URL.',
};

export const noWebSocket: Refusal = {
  status: 426,
  type: 'upgrade_required',
  message: 'the proxy does not speak WebSocket; send the request by HTTP, to the same address.',
};

export const overloaded: Refusal = {
  status: 503,
  type: 'overloaded',
  message: 'the memory for running requests is used up; try again in a moment.',
  retryAfter: 1,
};

export const liveFailed: Refusal = {
  status: 500,
  type: 'live_view_failed',
  message: 'this part of the live view failed; the conversation is not affected.',
};

/**
 * The status, type and message for a provider that cannot be reached, or whose answer cannot be passed on.
 * @returns the message for the operator, and `brief` for a tenant, who must not learn about the operator's network
 */
export function failureRefusal(
  error: unknown,
  origin: string,
  connection: Pick<UpstreamConnection, 'hasThrown'>,
): Refusal & { readonly brief: string } {
  if (error instanceof InvalidStatusError)
    return {
      status: 502,
      type: 'upstream_invalid',
      message: `${origin} answered with ${error.message}.`,
      brief: 'the provider answered with an invalid status.',
    };
  if (connection.hasThrown(error))
    return {
      status: 502,
      type: 'upstream_unreachable',
      message: `no answer from ${origin}: ${reasonOf(error)}. Check the network and the address that the proxy was started with.`,
      brief: 'no answer from the provider.',
    };
  return {
    status: 502,
    type: 'reply_failed',
    message: `the answer of ${origin} could not be passed on: ${reasonOf(error)}.`,
    brief: 'the answer of the provider could not be passed on.',
  };
}

/** Why a call failed, without the address: a system error's code, or the name of the error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  return (error as NodeJS.ErrnoException).code || error.name;
}
