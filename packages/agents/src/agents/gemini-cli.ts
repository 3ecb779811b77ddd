import type { AgentProfile } from '../agent-profile.ts';

export const geminiCli: AgentProfile = {
  name: 'Gemini CLI',
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
};
