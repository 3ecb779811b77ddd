/** A row of a ShareGPT data set; `tools`, `id` and other fields of the row pass through. */
export interface ShareGptConversation {
  readonly conversations: readonly ShareGptTurn[];
}

/** A turn of a row. It may have other fields. */
export interface ShareGptTurn {
  /** The speaker. Names vary: `human` or `user`, `gpt` or `assistant`, `tool` or `observation`. */
  readonly from: string;
  readonly value: string;
}
