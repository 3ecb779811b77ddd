import type { AgentProfile } from '../agent-profile.ts';

export const browserUse: AgentProfile = {
  name: 'browser-use',
  tags: { observed: ['agent_history', 'browser_state', 'read_state', 'step_info'] },
  openings: [
    /<(?:agent_history|step)\b[^>]*>/i,
    /\[(?:Task history memory ends|Your task history memory starts here|Current state starts here)\]/,
    /Action (?:result|error)\b[^\n]{0,20}:/,
    /Current (?:url|step|tab): /i,
  ],
};
