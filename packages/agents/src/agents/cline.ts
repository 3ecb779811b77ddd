import { isRecord } from '@palimpsest/core/authoring';
import type { AgentProfile, StartSettings, UserSettings } from '../agent-profile.ts';

export const cline: AgentProfile = {
  name: 'Cline, Roo Code, Kilo Code',
  programs: { cline: readUsedProvider },
  tags: { beside: ['environment_details', 'mode_notice', 'system_notice'] },
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
      'run_commands',
      'search_codebase',
      'fetch_web_content',
    ],
  },
  tools: {
    ask: ['ask_followup_question', 'ask_question'],
    command: ['execute_command', 'run_commands'],
    read: ['read_file', 'read_files'],
    write: ['write_to_file', 'replace_in_file', 'apply_diff', 'insert_content'],
    several: ['editor'],
    delegate: ['spawn_agent'],
    search: ['search_files', 'list_files', 'codebase_search', 'search_codebase'],
    browse: ['browser_action'],
    fetch: ['web_fetch', 'fetch_web_content'],
  },
  fileTools: { edit: ['replace_in_file', 'apply_diff', 'insert_content'] },
  stateTools: ['skill', 'todo'],
  instructionFiles: ['clinerules'],
  summaries: { openings: [/Context summary:\s{0,4}\n/], contents: [/^## (?:Goal|State|Highlights|Next|Files)$/] },
  // The first matches the system prompt, the second the user message.
  summaryRequests: [
    /Summarize (?:the provided coding session into a concise continuation note|this session for continuation)\b/,
  ],
};

/** Cline's providers with an API key, and where the proxy has their APIs. */
const addresses: Readonly<Record<string, { readonly wire: 'openai' | 'anthropic'; readonly path: string }>> = {
  anthropic: { wire: 'anthropic', path: '/anthropic/v1' },
  'openai-native': { wire: 'openai', path: '/openai/v1' },
  openai: { wire: 'openai', path: '/openai/v1' },
  'openai-compatible': { wire: 'openai', path: '/openai/v1' },
};

/**
 * Writes a copy of Cline's settings in which the provider used last has the address of the proxy. Other providers are left out,
 * because Cline would save renewed logins in the copy.
 */
function readUsedProvider({ env, readFile }: UserSettings): StartSettings {
  const data = env.CLINE_DATA_DIR ?? `${env.CLINE_DIR ?? '~/.cline'}/data`;
  const path = env.CLINE_PROVIDER_SETTINGS_PATH ?? `${data}/settings/providers.json`;
  const read: unknown = JSON.parse(readFile(path) ?? '{}');
  const file = isRecord(read) ? read : {};
  const { lastUsedProvider: name, providers } = file;
  const at = addresses[String(name)];
  const provider = isRecord(providers) ? providers[String(name)] : null;
  if (!at || !isRecord(provider) || !isRecord(provider.settings))
    throw new Error(
      `cline goes through the proxy only with an API key of Anthropic or OpenAI, and ${path} names ${name ?? 'no provider'}: choose one first, for example with "cline auth --provider anthropic --apikey ... --modelid ..."`,
    );
  const { baseUrl } = provider.settings;
  const changed = { ...provider, settings: { ...provider.settings, baseUrl: `{url}${at.path}` } };
  return {
    // Otherwise sessions run in a process of Cline that is there already, with the settings it was started with.
    env: { CLINE_PROVIDER_SETTINGS_PATH: '{file}', CLINE_SESSION_BACKEND_MODE: 'local' },
    file: { name: 'providers.json', text: JSON.stringify({ ...file, providers: { [String(name)]: changed } }) },
    upstreams:
      typeof baseUrl === 'string'
        ? { [at.wire]: at.wire === 'anthropic' ? baseUrl.replace(/\/v1\/?$/, '') : baseUrl }
        : {},
  };
}
