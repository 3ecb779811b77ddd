/**
 * The conversation part of a `Converse` request of Bedrock, as it is sent: bytes are base64 text. Structurally typed:
 * a `ConverseCommandInput` of the AWS SDK is accepted without a cast.
 */
export interface BedrockConversation {
  /** The system prompt. */
  readonly system?: readonly BedrockBlock[] | undefined;
  readonly messages?: readonly BedrockMessage[] | undefined;
}

/** A `Message`. */
export interface BedrockMessage {
  readonly role: string | undefined;
  readonly content: readonly BedrockBlock[] | undefined;
}

/** A `ContentBlock` of any kind, including unknown ones. The name of its field is its kind. */
export type BedrockBlock = object;
