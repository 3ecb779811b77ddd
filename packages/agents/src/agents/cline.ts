import type { AgentProfile } from '../agent-profile.ts';

export const cline: AgentProfile = {
  name: 'Cline, Roo Code, Kilo Code',
  tags: { beside: ['environment_details'] },
  openings: [
    // `[ERROR] You did not use a tool ...`
    /\[ERROR\] /,
    /The (?:tool execution failed with the following error|user (?:denied|approved) this operation)\b/,
  ],
  // `[read_file for 'a.ts'] Result:`
  labels: [/\[[a-z][a-z_]{1,60}(?: (?:for|to|with|in) [^\n]{0,4000})?\] (?:Result|Error):/],
  answers: {
    openings: [
      // Tools whose result is the user's answer.
      /\[(?:attempt_completion|ask_followup_question|plan_mode_respond|act_mode_respond|new_task|condense)\b[^\n]{0,4000}\] Result:/,
      // A refusal, but only of tools whose results the agent words itself: a file may begin with the same words.
      /\[(?:execute_command|write_to_file|replace_in_file|apply_diff|insert_content)\b[^\n]{0,4000}\] Result:\s{0,4}The user denied this operation and provided the following feedback:/,
      /The user provided the following feedback:/,
      /\[TASK RESUMPTION\]/,
    ],
    tags: ['feedback', 'answer', 'user_message'],
  },
  signs: {
    prompts: [/\bYou are (?:Cline|Roo|Kilo)\b/],
    tools: [
      'attempt_completion',
      'plan_mode_respond',
      'replace_in_file',
      'apply_diff',
      'write_to_file',
      'use_mcp_tool',
    ],
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
