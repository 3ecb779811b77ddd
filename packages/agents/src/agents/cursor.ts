import type { AgentProfile } from '../agent-profile.ts';

export const cursor: AgentProfile = {
  name: 'Cursor',
  tags: {
    beside: ['user_info', 'additional_data', 'open_and_recently_viewed_files', 'attached_files'],
    observed: ['system_reminder'],
  },
  tools: {
    command: ['run_terminal_cmd'],
    read: ['read_file'],
    write: ['edit_file', 'search_replace', 'delete_file'],
    search: ['codebase_search', 'grep_search', 'file_search', 'list_dir'],
    fetch: ['web_search'],
  },
  instructionFiles: ['cursorrules'],
};
