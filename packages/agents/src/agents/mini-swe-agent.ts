import type { AgentProfile } from '../agent-profile.ts';

export const miniSweAgent: AgentProfile = {
  name: 'mini-swe-agent',
  tags: { observed: ['returncode'] },
  openings: [/<(?:returncode|output)\b[^>]*>/i],
  tools: { command: ['bash'] },
  textCalls: { fences: ['bash', 'mswea_bash_command'], results: [/^<(?:returncode|output|exception)>/] },
  results: {
    tags: ['output'],
    heads: [{ edge: '<', needs: '<returncode>', shape: /^<returncode>(-?\d+)<\/returncode>\n?/ }],
  },
};
