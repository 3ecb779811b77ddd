/** A published library and how it is called. */
export interface Peer {
  /** Folder in `apps/bench/peers` with the exact versions and the program that calls the library. */
  readonly folder: string;
  /** Package whose version is reported. */
  readonly package: string;
  /** Name of the called function or class. */
  readonly call: string;
  /** How the budget is passed, for the report. */
  readonly setting: string;
  /** True if it hides text and gives it back. Its program is `recall.mjs` then, else `peer.mjs`. @default false */
  readonly searches?: boolean | undefined;
}

/** Peers to measure. Each has its own process and install, so that none becomes a dependency of this repository. */
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
      'its compaction needs a model; `clear: tool-result` with the largest `keepRecent` that fits, our token counts',
  },
  {
    folder: 'agents',
    package: 'agents',
    call: 'truncateOlderMessages',
    setting:
      'takes no budget; the largest `keepRecent` that fits, one message per agent step, older outputs cut to its default of 500 characters',
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
    setting: 'takes no budget; the largest `windowSize` that fits, called as its proactive compaction',
  },
  {
    folder: 'deepagents',
    package: 'deepagents',
    call: 'createSummarizationMiddleware and grep',
    searches: true,
    setting:
      'results over 20,000 tokens (its default) and the oldest messages become files; the summary a model would write is left out. `grep` takes one literal string and searches all files: one call for each name of a query',
  },
  {
    folder: 'context-chef',
    package: '@context-chef/core',
    call: 'offload, archive and the context tool',
    searches: true,
    setting:
      'results over 250 characters are offloaded, the oldest messages archived; without a model, a notice stands for them. `search` takes one string and shows one place in each text that has it: one call for each name of a query, then one `view` of the text that most of them found, cut to what is left of the tokens',
  },
  {
    folder: 'strands',
    package: '@strands-agents/sdk',
    call: 'ContextOffloader',
    searches: true,
    setting:
      'results over 250 tokens are offloaded with a preview of 100, never evicted; `SlidingWindowConversationManager` removes what still does not fit, with the references in it. `retrieve_offloaded_content` reads one reference: the agent is told which of the visible ones have the names, and calls it for each of them with a pattern of the names and one line of context',
  },
];

/** Functions of the peers that are not measured, and why. */
export const notRun: Readonly<Record<string, string>> = {
  'agents createCompactFunction': 'it needs a model to summarize the middle of the session',
  '@context-chef/core ContextChef.compile':
    'without a model it discards the oldest messages, like the baseline "newest tokens"',
  '@strands-agents/sdk SummarizingConversationManager': 'it needs a model to summarize',
  '@mastra/memory semantic recall': 'it needs a model for embeddings',
  'agents search_context': 'it searches the SQLite database of a Durable Object, which is a server',
  '@martian-engineering/lossless-claw':
    'it is a plugin that needs OpenClaw, SQLite and a model that writes its summaries',
};
