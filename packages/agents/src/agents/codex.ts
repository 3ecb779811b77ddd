import type { AgentProfile } from '../agent-profile.ts';

export const codex: AgentProfile = {
  name: 'Codex',
  programs: {
    // The provider "openai" is built in; the first setting changes only its address. With a ChatGPT login, Codex compresses requests
    // in a way that Node 20 cannot read.
    codex: {
      arguments: ['-c', 'openai_base_url="{url}/openai/v1"', '-c', 'features.enable_request_compression=false'],
    },
  },
  tags: {
    beside: [
      ...[
        'environment_context',
        'skills_instructions',
        'apps_instructions',
        'plugins_instructions',
        'user_instructions',
      ],
      ...['collaboration_mode', 'personality_spec', 'model_switch'],
    ],
    observed: ['user_shell_command', 'turn_aborted', 'subagent_notification'],
  },
  openings: [
    // Each is a message or a part of its own.
    /# AGENTS\.md instructions\b[^\n]{0,4000}\n\s{0,8}<INSTRUCTIONS>/,
    /<permissions instructions>/,
    /<skill>\s{0,8}<name>/,
  ],
  instructions: [
    /# AGENTS\.md instructions\b[^\n]{0,4000}\n\s{0,8}<INSTRUCTIONS>/,
    /<permissions instructions>/,
    /<(?:environment_context|(?:skills|apps|plugins|user)_instructions|collaboration_mode|personality_spec)>/,
  ],
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
    running: { mark: /\bProcess running with session ID (\d{1,12})\b/, argument: 'session_id' },
    heads: [
      {
        edge: 'COWTPE',
        needs: 'Wall time:',
        shape:
          /^(?:(?:Chunk ID|Wall time|Original token count|Total output lines):[^\n]*\n){0,4}(?:(?:Exit code:|Process exited with code) (-?\d+)\n(?:Process running with session ID \d+\n)?|Process running with session ID \d+\n)(?:(?:Wall time|Original token count|Total output lines):[^\n]*\n){0,4}(?:Output:(?:\n|$))?/,
      },
    ],
  },
  summaryRequests: [/You are performing a CONTEXT CHECKPOINT COMPACTION\b/],
};
