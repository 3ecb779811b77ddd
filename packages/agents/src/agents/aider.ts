import type { AgentProfile } from '../agent-profile.ts';

export const aider: AgentProfile = {
  name: 'aider',
  textCalls: {
    results: [],
    applied: { needs: '<<<<<<< SEARCH', line: /^(?:> )?Applied edit to (\S[^\n]{0,400}?)\s*$/ },
  },
};
