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
  {
    folder: 'context-chef',
    package: '@context-chef/core',
    call: 'Janitor.compact',
    setting:
      "its compression is a model's; `clear: tool-result` with the largest `keepRecent` that fits, our token counts",
  },
  {
    folder: 'agents',
    package: 'agents',
    call: 'truncateOlderMessages',
    setting:
      'takes no budget; the largest `keepRecent` that fits, one message for each step of the agent, its own 500 characters for what is older',
  },
  {
    folder: 'mastra',
    package: '@mastra/core',
    call: 'TokenLimiterProcessor',
    setting: 'counts tokens its own way; the largest `limit` whose prompt fits by our counts',
  },
  {
    folder: 'strands',
    package: '@strands-agents/sdk',
    call: 'SlidingWindowConversationManager',
    setting: 'takes no budget; the largest `windowSize` that fits, called as its proactive compression',
  },
];

/** What of the peers cannot be run here, and why. */
export const notRun: Readonly<Record<string, string>> = {
  'agents createCompactFunction': 'what it keeps of the middle is a summary that a model writes',
  '@context-chef/core ContextChef.compile':
    'without a model it discards what is old, as keeping the newest tokens does',
  '@strands-agents/sdk SummarizingConversationManager': "its summary is a model's",
};
