import type { Dialect, Message, Provenance } from '@palimpsest/core';

/**
 * A lossless adapter between one provider's conversation and core messages. `Native` is the conversation part of a
 * request body. You may pass the whole body: the other fields pass through unchanged, and the type is preserved.
 */
export interface Codec<Native> {
  /** `openaiChat`, `anthropic`, `bedrock`, `gemini`, `ollama`, `openaiResponses`, `aiSdk`, `pi` or `shareGpt`. */
  readonly name: string;
  /** The `dialect` to pass to a host: how strictly the providers check roles. */
  readonly dialect: Dialect;
  /**
   * Reads a conversation. Memoized per native message object: a growing conversation gives the same core messages on every
   * turn, and only new messages are read.
   * @throws {PalimpsestError} `MESSAGES_INVALID`; `details`: `format`, `index` of the native message (-1 if outside), `field`
   */
  decode<Given extends Native>(native: Given): Decoded<Given>;
  /**
   * Writes the output of an engine back. Unedited messages are the same native objects, and so is the whole conversation if
   * nothing was edited.
   * @param result the output of an engine, or of core's `apply`, for `decoded.messages`
   */
  encode<Given extends Native>(decoded: Decoded<Given>, result: EditedMessages): Given;
  /** Lists what a provider would reject, in order; empty for a valid conversation. */
  validate(native: Native): readonly NativeViolation[];
  /**
   * Writes a new conversation. Omits reasoning that the provider did not sign, and replaces unsupported media with a text.
   */
  fromMessages(messages: readonly Message[]): Native;
}

/** The fields of a `CompressResult` or an `Applied` that encoding needs. */
export interface EditedMessages {
  readonly messages: readonly Message[];
  /** Relative to the decoded messages. */
  readonly provenance: Provenance;
}

/** A decoded conversation, and the origin of each core message in it. */
export interface Decoded<Native> {
  /** The object that was decoded. */
  readonly native: Native;
  readonly messages: readonly Message[];
  /** `origins[i]` is the origin of `messages[i]`. */
  readonly origins: readonly NativeOrigin[];
  /**
   * Set if the request continues a conversation stored by the provider. The stored part cannot be read or compacted, and
   * results of calls in it are kept unchanged.
   */
  readonly continues?: 'previous_response_id' | 'conversation' | 'cachedContent' | undefined;
}

/** The native pieces that one core message was made from, in native order. */
export interface NativeOrigin {
  readonly pieces: readonly NativePiece[];
}

/** A native message or item, or some of its blocks. */
export interface NativePiece {
  /** Index of the native message or item; -1 for a top-level system prompt. */
  readonly index: number;
  /** Indices of the blocks; absent for the whole message. */
  readonly blocks?: readonly number[] | undefined;
}

/** A reason why a provider would reject the conversation. */
export interface NativeViolation {
  /** Index of the invalid native message or item; -1 for fields outside the messages. */
  readonly index: number;
  readonly rule: string;
  /** One sentence, without conversation text. */
  readonly reason: string;
}
