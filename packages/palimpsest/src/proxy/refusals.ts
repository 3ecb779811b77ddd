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

export const liveFailed: Refusal = {
  status: 500,
  type: 'live_view_failed',
  message: 'this part of the live view could not be made; the conversation itself goes on.',
};
