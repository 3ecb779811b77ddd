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
  message:
    'there is no such path; use the base URL http://127.0.0.1:PORT/openai/v1, http://127.0.0.1:PORT/anthropic, http://127.0.0.1:PORT/gemini, http://127.0.0.1:PORT/vertex/v1, http://127.0.0.1:PORT/bedrock or http://127.0.0.1:PORT/ollama',
};

export const loop: Refusal = {
  status: 508,
  type: 'loop_detected',
  message:
    'the proxy received its own request: the address of the provider is that of the proxy. Check --openai, --chatgpt, --anthropic, --gemini, --vertex, --bedrock, --ollama, OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL, ANTHROPIC_VERTEX_BASE_URL and OLLAMA_HOST where the proxy was started.',
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
