import type { AgentProfile } from '../agent-profile.ts';

export const openHands: AgentProfile = {
  name: 'OpenHands',
  openings: [/(?:EXECUTION RESULT|Execution result)\b[^\n]{0,40}:/],
  tools: {
    command: ['execute_bash', 'terminal'],
    several: ['str_replace_editor', 'file_editor'],
    browse: ['browser'],
  },
};
