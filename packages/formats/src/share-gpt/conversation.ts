/** A row of a ShareGPT data set; `tools`, `id` and other fields of the row pass through. */
export interface ShareGptConversation {
  readonly conversations: readonly ShareGptTurn[];
}

/** A turn of a row. Names of speakers vary: `human` or `user`, `gpt` or `assistant`, `tool` or `observation`. */
export interface ShareGptTurn {
  readonly from: string;
  readonly value: string;
}
