import type { AgentProfile } from '../agent-profile.ts';

export const aider: AgentProfile = {
  name: 'aider',
  programs: {
    // LiteLLM reads the _API_BASE names.
    aider: {
      env: {
        OPENAI_API_BASE: '{url}/openai/v1',
        OPENAI_BASE_URL: '{url}/openai/v1',
        ANTHROPIC_API_BASE: '{url}/anthropic',
        ANTHROPIC_BASE_URL: '{url}/anthropic',
      },
    },
  },
  openings: [
    /I have \*added these files to the chat\*/,
    /Here are (?:summaries of some files present in my git repository|some READ ONLY files, provided for your reference)\b/,
    /I added these files to the chat: /,
    /I committed the changes with git hash /,
  ],
  labels: [
    // `/web`, or a link in a message: the page follows the user's words.
    /Here is the content of [a-z]{1,8}:\/\/\S{1,2000}:[ \t]*$/,
    // `/run`. The command may have several lines. A search ends at the next label, so that all searches take linear time.
    /I ran this command:\n\n(?:(?!I ran this command:\n)[^\n]*\n)+?\nAnd got this output:/,
  ],
  textCalls: {
    results: [],
    applied: { needs: '<<<<<<< SEARCH', line: /^(?:> )?Applied edit to (\S[^\n]{0,400}?)\s*$/ },
  },
};
