import type { Dialect, Message, Provenance } from '@palimpsest/core';

/**
 * A lossless adapter between one provider's conversation and core messages. `Native` is the conversation part of a
 * request body; the rest of the body may stand beside it, passes through untouched, and keeps its type.
 */
export interface Codec<Native> {
  /** `openaiChat`, `anthropic`, `openaiResponses`, `aiSdk` or `shareGpt`. */
  readonly name: string;
  /** How strictly its providers read roles, for a host's `dialect`. */
  readonly dialect: Dialect;
  /**
   * Reads a conversation. Memoized per native message object: a growing conversation gives the same core messages from
   * turn to turn, and costs its new messages only.
   * @throws {PalimpsestError} `MESSAGES_INVALID`; `details`: `format`, `index` of the native message (-1: beside them), `field`
   */
  decode<Given extends Native>(native: Given): Decoded<Given>;
  /**
   * Writes an engine's output back. What was not edited is the identical native object, up to the whole conversation.
   * @param result what an engine, or core's `apply`, made of `decoded.messages`
   */
  encode<Given extends Native>(decoded: Decoded<Given>, result: EditedMessages): Given;
  /** What a provider would reject, in order; an empty list when nothing. */
  validate(native: Native): readonly NativeViolation[];
  /**
   * Writes a conversation from nothing. What the dialect has no place for is left out (reasoning its provider did not
   * sign) or said in words (media it does not take).
   */
  fromMessages(messages: readonly Message[]): Native;
}

/** The part of a `CompressResult` or an `Applied` that encoding needs. */
export interface EditedMessages {
  readonly messages: readonly Message[];
  /** Relative to the decoded messages. */
  readonly provenance: Provenance;
}

/** A conversation that was read, and how to find each core message in it. */
export interface Decoded<Native> {
  /** The very object that was decoded. */
  readonly native: Native;
  readonly messages: readonly Message[];
  /** `origins[i]`: what `messages[i]` was made of. */
  readonly origins: readonly NativeOrigin[];
  /**
   * Set when the request carries on a conversation the provider keeps: what lies before this body cannot be seen, let
   * alone compressed, and results whose calls lie there are kept as they are.
   */
  readonly continues?: 'previous_response_id' | 'conversation' | undefined;
}

/** The native pieces one core message was made of, in native order. */
export interface NativeOrigin {
  readonly pieces: readonly NativePiece[];
}

export interface NativePiece {
  /** Index of the native message or item; -1 for a system prompt beside them. */
  readonly index: number;
  /** Indices of its blocks; absent when it is the whole message. */
  readonly blocks?: readonly number[] | undefined;
}

/** One thing a provider would reject. */
export interface NativeViolation {
  /** Index of the native message or item at fault; -1 for what stands beside them. */
  readonly index: number;
  readonly rule: string;
  /** One sentence, without conversation text. */
  readonly reason: string;
}
