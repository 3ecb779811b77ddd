import type { Decision, Inserted, Message, ModelInfo, Provenance, StubResult } from '@palimpsest/core';
import type { CompactionRecord } from './compaction-record.ts';

/** What a request holds besides its messages. */
export interface RequestOptions {
  /** Tool declarations as they are sent; they count. */
  readonly tools?: readonly unknown[] | null | undefined;
  /** A system prompt beside the messages, as Anthropic takes it. */
  readonly system?: unknown;
  /** How long the answer may be, in tokens: the prompt must leave that much of the window. @default the model's reserve */
  readonly maxTokens?: number | null | undefined;
  /**
   * The shortest useful answer, in tokens, such as the minimum for a thinking budget. If a refusal leaves less room
   * than this, the prompt is made smaller and `maxTokens` is not lowered. @default 1
   */
  readonly leastTokens?: number | undefined;
  /** The model, when it is another one than before. */
  readonly model?: ModelInfo | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How a request came to be what it is. */
export interface RequestInfo {
  /** Tokens of the whole prompt. */
  readonly tokens: number;
  /** How many of them are estimated, and not reported by the provider. */
  readonly estimatedTokens: number;
  /** What the engine's trigger says of this size; `null` for a request that was passed through. */
  readonly decision: Decision | null;
  /** Number of the checkpoint in effect; `null` without one. */
  readonly checkpoint: number | null;
  /** Compactions made for this request. */
  readonly compactions: readonly CompactionRecord[];
  /** What a user should know, in words. */
  readonly warnings: readonly string[];
  /** The answer's cap as it should be sent: lowered when the provider allows less. */
  readonly maxTokens: number | undefined;
  /** What became of every message of the caller's. */
  readonly provenance: Provenance;
}

/** Ready to be spread into an SDK's call: what was given, with messages that fit. `info` is not enumerable. */
export type PreparedRequest<M extends Message = Message, O extends RequestOptions = RequestOptions> = {
  messages: (M | Inserted | StubResult)[];
  readonly info: RequestInfo;
} & Pick<O, Extract<keyof O, 'tools' | 'system'>>;

/** Hides `info` from spreading and from JSON. */
export function prepared<M extends Message, O extends RequestOptions>(
  messages: readonly Message[],
  options: O,
  system: unknown,
  info: RequestInfo,
): PreparedRequest<M, O> {
  const request = {
    messages: [...messages],
    ...('tools' in options ? { tools: options.tools } : {}),
    ...('system' in options ? { system } : {}),
  };
  Object.defineProperty(request, 'info', { value: info, enumerable: false });
  return request as unknown as PreparedRequest<M, O>;
}
