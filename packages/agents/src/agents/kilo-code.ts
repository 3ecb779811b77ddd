import type { AgentProfile } from '../agent-profile.ts';
import { startWithProviders } from './opencode.ts';

const start = startWithProviders('KILO_CONFIG_CONTENT');

/** Kilo Code since version 7, which is built from opencode: what both have is in its file. */
export const kiloCode: AgentProfile = {
  name: 'Kilo Code 7',
  programs: { kilo: start, kilocode: start },
  signs: {
    prompts: [/\bYou are Kilo\b/],
    tools: ['kilo_local_recall', 'board_post', 'board_read', 'background_process', 'schedule_wakeup'],
  },
  tools: { ask: ['question'], command: ['background_process'], search: ['kilo_local_recall'] },
};
