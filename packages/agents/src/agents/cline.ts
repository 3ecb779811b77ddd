import type { AgentProfile } from '../agent-profile.ts';

export const cline: AgentProfile = {
  name: 'Cline, Roo Code, Kilo Code',
  tags: { beside: ['environment_details'] },
  openings: [
    // `[read_file for 'a.ts'] Result:`
    /\[[a-z][a-z_]{1,60}(?: (?:for|to|with|in) [^\n]{0,4000})?\] (?:Result|Error):/,
    // `[ERROR] You did not use a tool ...`
    /\[ERROR\] /,
    /The (?:tool execution failed with the following error|user denied this operation)\b/,
  ],
  answers: {
    // Tools whose result is the user's answer, and texts before a user's answer to any tool.
    openings: [
      /\[(?:attempt_completion|ask_followup_question|plan_mode_respond|act_mode_respond|new_task|condense)\b[^\n]{0,4000}\] Result:/,
      /\[[a-z][a-z_]{1,60}[^\n]{0,4000}\] Result:\s{0,4}The user denied this operation/,
      /The user denied this operation/,
      /\[TASK RESUMPTION\]/,
    ],
    tags: ['feedback', 'answer', 'user_message'],
  },
  tools: {
    ask: ['ask_followup_question'],
    command: ['execute_command'],
    read: ['read_file'],
    write: ['write_to_file', 'replace_in_file', 'apply_diff', 'insert_content'],
    search: ['search_files', 'list_files', 'codebase_search'],
    browse: ['browser_action'],
    fetch: ['web_fetch'],
  },
  fileTools: { edit: ['replace_in_file', 'apply_diff', 'insert_content'] },
  stateTools: ['skill', 'todo'],
  instructionFiles: ['clinerules'],
};
