import type { AgentProfile } from '../agent-profile.ts';

export const miniSweAgent: AgentProfile = {
  name: 'mini-swe-agent',
  tags: { observed: ['returncode'] },
  openings: [/<(?:returncode|output)\b[^>]*>/i],
  tools: { command: ['bash'] },
  results: {
    tags: ['output'],
    heads: [{ edge: '<', needs: '<returncode>', shape: /^<returncode>(-?\d+)<\/returncode>\n?/ }],
  },
};
