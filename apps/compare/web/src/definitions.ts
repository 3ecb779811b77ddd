/** The terms of the page, each defined in one or two sentences. */
export const definitions = {
  engine:
    'A context engine shortens the transcript that an agent sends to its model. compressor writes a summary in place of the older messages. prune-compact first shortens old tool output to a line each, and summarizes only if that is not enough.',
  handoff: 'What an engine writes in place of the messages that it summarizes, so that the agent can go on.',
  window: 'The context window: the most tokens that the model reads in one request.',
  threshold:
    'The prompt size at which an engine compacts. Unless you set it, compressor compacts at 30 % of the window, but not below 64K, and prune-compact at 85 % of the window without the room for the answer.',
  protect:
    'The newest tokens that stay unchanged: in compressor the end of the session, a fifth of its threshold unless you set it; in prune-compact the newest tool output, 40K in a window of 128K unless you set it.',
  target: 'The size that a compaction aims for. Without a target, each engine decides.',
  request: 'One call of the model with the whole prompt. An agent sends one for each of its answers.',
  'exact names':
    'Names, paths, URLs and hashes in user and assistant messages. An agent cannot guess one that is lost.',
} as const;

export type TermName = keyof typeof definitions;
