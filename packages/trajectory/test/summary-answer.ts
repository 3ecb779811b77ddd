/** A model's answer to a request for a summary, for the loopback server. */
export const summaryAnswer = {
  kind: 'answer',
  text: '## Goal\nx\n\n## Instructions\nNone.\n\n## Discoveries\n- it works\n\n## Accomplished\n1. READ a\n\n## Relevant files/directories\nNone.',
} as const;
