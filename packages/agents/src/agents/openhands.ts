import type { AgentProfile } from '../agent-profile.ts';

export const openHands: AgentProfile = {
  name: 'OpenHands',
  textCalls: { functionTags: true, results: [/^(?:EXECUTION RESULT|OBSERVATION)\b/] },
  openings: [/(?:EXECUTION RESULT|Execution result)\b[^\n]{0,40}:/],
  tools: {
    command: ['execute_bash', 'terminal'],
    several: ['str_replace_editor', 'file_editor'],
    browse: ['browser'],
  },
};
