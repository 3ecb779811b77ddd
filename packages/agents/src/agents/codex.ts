import type { AgentProfile } from '../agent-profile.ts';

export const codex: AgentProfile = {
  name: 'Codex',
  tags: { beside: ['environment_context'] },
  signs: {
    prompts: [/\bYou are Codex\b|\bCodex CLI\b/],
    tools: ['write_stdin', 'update_plan', 'container.exec', 'local_shell', 'shell_command', 'view_image'],
  },
  tools: {
    ask: ['request_user_input'],
    command: ['shell', 'local_shell', 'shell_command', 'exec_command', 'container_exec', 'unified_exec', 'write_stdin'],
    write: ['apply_patch'],
    delegate: ['spawn_agent', 'wait_agent'],
  },
  instructionFiles: ['AGENT', 'AGENTS'],
  results: {
    heads: [
      {
        edge: 'COWTPE',
        needs: 'Wall time:',
        shape:
          /^(?:(?:Chunk ID|Wall time|Original token count|Total output lines):[^\n]*\n){0,4}(?:Exit code:|Process exited with code) (-?\d+)\n(?:(?:Wall time|Original token count|Total output lines):[^\n]*\n){0,4}(?:Output:(?:\n|$))?/,
      },
    ],
  },
  summaryRequests: [/You are performing a CONTEXT CHECKPOINT COMPACTION\b/],
};
