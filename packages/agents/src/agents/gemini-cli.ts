import type { AgentProfile } from '../agent-profile.ts';

export const geminiCli: AgentProfile = {
  name: 'Gemini CLI',
  programs: {
    // https://geminicli.com/docs/reference/configuration
    gemini: {
      env: { GOOGLE_GEMINI_BASE_URL: '{url}/gemini', GOOGLE_VERTEX_BASE_URL: '{url}/vertex' },
    },
  },
  tags: { beside: ['session_context', 'hook_context'] },
  instructions: [/<session_context>/],
  signs: {
    prompts: [/\bGemini CLI\b/],
    tools: ['run_shell_command', 'google_web_search', 'read_many_files', 'search_file_content', 'save_memory'],
  },
  tools: {
    ask: ['ask_user'],
    command: ['run_shell_command'],
    read: ['read_file', 'read_many_files'],
    write: ['write_file', 'replace'],
    search: ['glob', 'grep_search', 'search_file_content', 'list_directory'],
    fetch: ['google_web_search', 'web_fetch'],
  },
  instructionFiles: ['GEMINI'],
  summaries: {
    openings: [/\s{0,8}<state_snapshot>/],
    ends: [/<\/state_snapshot>/],
    contents: [/^[ \t]{0,8}<(?:overall_goal|active_constraints|key_knowledge|artifact_trail|task_state)>/],
  },
  summaryRequests: [
    /You are a specialized system component responsible for distilling chat history\b/,
    /(?:A previous <state_snapshot> exists in the history|Generate a new <state_snapshot> based on)\b/,
    /Critically evaluate the <state_snapshot> you just generated\b/,
  ],
};
