import type { AgentProfile } from '../agent-profile.ts';

export const pi: AgentProfile = {
  name: 'pi',
  programs: {
    pi: {
      arguments: ['--extension', '{file}'],
      file: {
        name: 'palimpsest-proxy.mjs',
        text: `export default (pi) => {
  pi.registerProvider('openai', { baseUrl: '{url}/openai/v1' });
  pi.registerProvider('anthropic', { baseUrl: '{url}/anthropic' });
};
`,
      },
    },
  },
  // A command run by the user, with its output.
  openings: [/Ran `[^`\n]+`\s*\n```/],
  tools: {
    command: ['bash'],
    read: ['read'],
    write: ['write', 'edit'],
    search: ['find', 'grep', 'ls'],
  },
  // All its summaries have this system prompt.
  summaryRequests: [/You are a context summarization assistant\b/],
};
