import type { AgentProfile } from '../agent-profile.ts';

export const qwenCode: AgentProfile = {
  name: 'Qwen Code',
  programs: {
    qwen: { env: { OPENAI_BASE_URL: '{url}/openai/v1', ANTHROPIC_BASE_URL: '{url}/anthropic' } },
  },
  tags: { beside: ['qwen:user-prompt-submit-context', 'qwen:session-start-context'], observed: ['background-tasks'] },
  signs: {
    prompts: [/\bYou are Qwen Code\b/],
    tools: ['tool_search', 'tool_call', 'get_goal', 'update_goal', 'notebook_edit', 'run_shell_command'],
  },
  tools: {
    ask: ['ask_user_question'],
    command: ['run_shell_command'],
    read: ['read_file'],
    write: ['write_file', 'edit', 'notebook_edit'],
    search: ['glob', 'grep_search'],
    delegate: ['agent', 'list_agents'],
  },
  instructions: [/<system-reminder>\s{0,8}The following tools are reachable through\b/],
  instructionFiles: ['QWEN'],
  results: {
    heads: [
      {
        edge: 'C',
        needs: '\nDirectory: ',
        shape: /^Command: [\s\S]{0,4000}?\nDirectory: [^\n]{0,1000}\nOutput: (?:\(empty\))?/,
      },
    ],
    tails: [
      {
        edge: ')0123456789',
        needs: '\nProcess Group PGID: ',
        shape:
          /\nError: [^\n]{0,1000}\nExit Code: (?:(-?\d{1,10})|\(none\))\nSignal: [^\n]{0,40}\n(?:Background PIDs: [^\n]{0,400}\n)?Process Group PGID: [^\n]{0,40}\s*$/,
      },
    ],
  },
  summaryRequests: [
    /You are the component that summarizes a conversation when its context window is about to overflow\b/,
    /You are a specialized context summarizer that creates a comprehensive markdown summary\b/,
  ],
};
