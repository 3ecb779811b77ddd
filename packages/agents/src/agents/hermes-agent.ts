import type { AgentProfile } from '../agent-profile.ts';

export const hermesAgent: AgentProfile = {
  name: 'Hermes Agent',
  signs: {
    prompts: [/\bYou are Hermes\b/],
    tools: ['skill_view', 'skill_manage', 'skills_list', 'session_search', 'delegate_task', 'web_extract'],
  },
  tools: {
    ask: ['clarify'],
    command: ['terminal', 'execute_code'],
    read: ['read_file'],
    write: ['write_file', 'patch'],
    search: ['search_files', 'session_search'],
    browse: ['browser_navigate', 'browser_click', 'browser_type', 'browser_scroll', 'browser_vision'],
    fetch: ['web_search', 'web_extract'],
    delegate: ['delegate_task'],
  },
  stateTools: ['skill_view', 'clarify', 'memory', 'todo'],
  summaries: {
    // Older versions wrote `[CONTEXT SUMMARY]:`. Dashes are hyphens, en dashes or em dashes.
    openings: [
      /\s{0,8}\[CONTEXT SUMMARY\]:?[ \t]*\n?/,
      /\s{0,8}\[CONTEXT COMPACTION(?:[ \t]{0,4}[-\u2013\u2014][^\]\n]{0,80})?\][^\n]*\n?/,
    ],
    ends: [/\n{0,2}--- END OF CONTEXT SUMMARY\b[^\n]{0,200}---[ \t]*(?:\n{1,2}|$)/],
    contents: [/^[ \t]{0,8}\[CONTEXT COMPACTION[^\]\n]{0,80}\][ \t]{0,4}Earlier turns\b[^\n]{0,80}\bcompacted\b/],
  },
};
