/** A published library, with how it is called. */
export interface Peer {
  /** Its folder in `apps/bench/peers`, with its exact versions and the program that calls it. */
  readonly folder: string;
  /** The package whose version is shown. */
  readonly package: string;
  /** What of it is called. */
  readonly call: string;
  /** How the budget reaches it, for the report. */
  readonly setting: string;
}

/** The peers that run, each in a process and an install of its own, so that none becomes a dependency of ours. */
export const peers: readonly Peer[] = [
  {
    folder: 'ai',
    package: 'ai',
    call: 'pruneMessages',
    setting:
      'takes no budget; `before-last-N-messages` with the largest N that fits, `reasoning: "before-last-message"`',
  },
  {
    folder: 'langchain-core',
    package: '@langchain/core',
    call: 'trimMessages',
    setting: '`maxTokens` is the budget, `strategy: "last"`, our token counts, starting on a human or AI message',
  },
  {
    folder: 'langchain',
    package: 'langchain',
    call: 'ClearToolUsesEdit',
    setting: '`trigger.tokens` is the budget, `keep.messages` the largest number of results that fits',
  },
];
