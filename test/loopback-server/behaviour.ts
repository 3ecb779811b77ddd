/** What the server does with one request. */
export type Behaviour =
  /** Answers. `pieces`: how many events a stream is cut into. `reasoning`: hidden thought before the text. */
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly finish?: 'stop' | 'length' | 'refusal' | 'window' | undefined;
      readonly reasoning?: string | undefined;
      /** Tool calls behind the text; the answer then ends for them. */
      readonly calls?: readonly AnsweredCall[] | undefined;
      readonly pieces?: number | undefined;
      /** What the usage says; no figure is made up beyond that. */
      readonly promptTokens?: number | undefined;
      readonly completionTokens?: number | undefined;
      readonly cachedTokens?: number | undefined;
    }
  /** Answers with an error in the protocol's own shape. `code` is the provider's word for it. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code?: string | undefined;
      readonly message?: string | undefined;
      readonly retryAfterSeconds?: number | undefined;
    }
  /** A web page where JSON was expected, as a proxy sends it. */
  | { readonly kind: 'html'; readonly status?: number | undefined }
  /** Goes silent: before a byte is sent, or in the middle of the answer. The connection stays open until the client leaves. */
  | { readonly kind: 'stall'; readonly at: 'start' | 'middle'; readonly text?: string | undefined }
  /** Cuts the connection: before a byte is sent, or in the middle of the answer. */
  | { readonly kind: 'close'; readonly at: 'start' | 'middle'; readonly text?: string | undefined }
  /** An error inside a stream that has begun with status 200. */
  | { readonly kind: 'stream-error'; readonly text?: string | undefined; readonly code: string };

/** A tool call in an answer. */
export interface AnsweredCall {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
}

/** One request as the server saw it. */
export interface Received {
  readonly protocol: 'openai' | 'openai-responses' | 'anthropic';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly streaming: boolean;
  /** All text the request carries, for looking for what must not be in it. */
  readonly text: string;
  /** What the protocol forbids in it; the server then answered 400 whatever the script said. */
  readonly problems: readonly string[];
}
