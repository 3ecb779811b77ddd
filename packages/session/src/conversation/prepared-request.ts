import type { Decision, InsertedMessage, Message, ModelInfo, Provenance, StubResult } from '@palimpsest/core';
import type { CompactionRecord } from '../events/compaction-record.ts';

/** Options of one request. */
export interface RequestOptions {
  /** Tool declarations as they are sent. They count toward the size of the prompt. */
  readonly tools?: readonly unknown[] | null | undefined;
  /** A system prompt outside the messages, as in Anthropic's API. */
  readonly system?: unknown;
  /**
   * Maximum length of the answer, in tokens. The prompt leaves that much of the window free, but at most half.
   * @default the model's `reserveOutputTokens`
   */
  readonly maxTokens?: number | null | undefined;
  /**
   * The shortest useful answer, in tokens, such as the minimum for a thinking budget. If a refusal leaves less room
   * than this, the prompt is made smaller and `maxTokens` is not lowered. @default 1
   */
  readonly minTokens?: number | undefined;
  /** The model, if it changed. @default the session's model */
  readonly model?: ModelInfo | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How the session prepared a request: size, decision, compactions and warnings. */
export interface RequestInfo {
  /** Tokens of the whole prompt. */
  readonly tokens: number;
  /** The part of `tokens` that is estimated and not reported by the provider. */
  readonly estimatedTokens: number;
  /** The engine's decision for this size; `null` for a request that was passed through. */
  readonly decision: Decision | null;
  /** Number of the checkpoint in effect; `null` without one. */
  readonly checkpoint: number | null;
  /** Compactions made for this request, or after the one before. */
  readonly compactions: readonly CompactionRecord[];
  /** Warnings for the user. */
  readonly warnings: readonly string[];
  /** The output cap to send. Lower than the requested one when the model allows less, or the prompt leaves less room. */
  readonly maxTokens: number | undefined;
  /** The outcome of each of the caller's messages. */
  readonly provenance: Provenance;
}

/** The request to send: the caller's options, and messages that fit the window. Can be spread into an SDK call; `info` is not enumerable. */
export type PreparedRequest<M extends Message = Message, O extends RequestOptions = RequestOptions> = {
  messages: (M | InsertedMessage | StubResult)[];
  readonly info: RequestInfo;
} & Pick<O, Extract<keyof O, 'tools' | 'system'>>;

/** Builds a prepared request. `info` is hidden from spreading and from JSON. */
export function toPreparedRequest<M extends Message, O extends RequestOptions>(
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
