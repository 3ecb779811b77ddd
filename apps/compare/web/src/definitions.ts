/** The terms of the page, each defined in one or two sentences. */
export const definitions = {
  window: 'The context window: the most tokens that the model reads in one request.',
  threshold: 'The prompt size at which an engine compacts.',
  protect:
    'The newest tokens that stay unchanged: the end of the session in compressor, the newest tool output in prune-compact.',
  target: 'The size that a compaction aims for. Without a target, each engine decides.',
  request: 'One call of the model with the whole prompt. An agent sends one for each of its answers.',
  'exact names':
    'Names, paths, URLs and hashes in user and assistant messages. An agent cannot guess one that is lost.',
} as const;

export type TermName = keyof typeof definitions;
