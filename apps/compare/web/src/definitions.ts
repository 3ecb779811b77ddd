/** The terms of the page, each defined in one or two sentences. */
export const definitions = {
  window: 'The context window: the most tokens that the model reads in one request.',
  threshold: 'The prompt size at which an engine compacts.',
  protect:
    'The newest tokens that stay unchanged: the end of the session in compressor, the newest tool output in prune-compact.',
  target: 'The size that a compaction aims for. Without a target, each engine decides.',
  compaction: 'One rewrite of the prompt into a smaller one.',
  request: 'One call of the model with the whole prompt. An agent sends one for each of its answers.',
  handoff: 'A message that an engine writes in place of older messages, so that the agent can go on working.',
  'exact names':
    'File names, paths, URLs and hashes in user and assistant messages. An agent cannot guess one that is lost.',
  'prompt cache':
    'The provider reads the unchanged start of a prompt from its cache, at a lower price. The prices are examples; enter your own below the charts.',
  tokens: 'The units that models read and providers bill, about four characters each. All figures are estimates.',
} as const;

export type TermName = keyof typeof definitions;
