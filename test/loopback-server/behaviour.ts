/** How the server responds to one request. */
export type Behaviour =
  /** An answer. `pieces`: number of events in a stream. `reasoning`: hidden reasoning before the text. */
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly finish?: 'stop' | 'length' | 'refusal' | 'window' | undefined;
      readonly reasoning?: string | undefined;
      /** Tool calls after the text. They become the answer's finish reason. */
      readonly calls?: readonly AnsweredCall[] | undefined;
      readonly pieces?: number | undefined;
      /** The reported usage. Figures that are not given are not reported. */
      readonly promptTokens?: number | undefined;
      readonly completionTokens?: number | undefined;
      readonly cachedTokens?: number | undefined;
    }
  /** An error in the protocol's shape. `code` is the provider's error code. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code?: string | undefined;
      readonly message?: string | undefined;
      readonly retryAfterSeconds?: number | undefined;
    }
  /** A web page instead of JSON, as a proxy sends it. */
  | { readonly kind: 'html'; readonly status?: number | undefined }
  /** Stops sending, before the first byte or in the middle of the answer. The connection stays open until the client closes it. */
  | { readonly kind: 'stall'; readonly at: 'start' | 'middle'; readonly text?: string | undefined }
  /** Closes the connection, before the first byte or in the middle of the answer. */
  | { readonly kind: 'close'; readonly at: 'start' | 'middle'; readonly text?: string | undefined }
  /** An error inside a stream that began with status 200. */
  | { readonly kind: 'stream-error'; readonly text?: string | undefined; readonly code: string };

/** A tool call in an answer. */
export interface AnsweredCall {
  readonly id: string;
  readonly name: string;
  /** The group of the tool, on Responses. */
  readonly namespace?: string | undefined;
  /** JSON. */
  readonly arguments: string;
}

/** One request as the server received it. */
export interface Received {
  readonly protocol: 'openai' | 'openai-responses' | 'anthropic' | 'gemini' | 'bedrock' | 'bedrock-invoke' | 'ollama';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it arrived. */
  readonly raw: string;
  readonly model: string;
  readonly streaming: boolean;
  /** All text in the request, to search for what must not be in it. */
  readonly text: string;
  /** What the protocol forbids in it. If there is any, the server answered 400 instead of following the script. */
  readonly problems: readonly string[];
}
