import { isRecord } from '@palimpsest/core/authoring';
import type { AgentProfile, StartSettings, UserSettings } from '../agent-profile.ts';

export const qwenCode: AgentProfile = {
  name: 'Qwen Code',
  programs: { qwen: readUsedModel },
  tags: { beside: ['qwen:user-prompt-submit-context', 'qwen:session-start-context'], observed: ['background-tasks'] },
  signs: {
    prompts: [/\bYou are Qwen Code\b/],
    tools: ['get_goal', 'update_goal'],
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

/** Where the proxy has the APIs of Qwen Code's models. */
const paths = { openai: '/openai/v1', anthropic: '/anthropic' } as const;

/**
 * Gives Qwen Code two variables. The address of a model in its settings comes before them, and settings of the system before those.
 */
function readUsedModel({ env, readFile }: UserSettings): StartSettings {
  const variables = { OPENAI_BASE_URL: '{url}/openai/v1', ANTHROPIC_BASE_URL: '{url}/anthropic' };
  const settings = recordIn(parseSettings(readFile(`${env.QWEN_HOME || '~/.qwen'}/settings.json`)));
  const providers = recordIn(settings.modelProviders);
  const { name } = recordIn(settings.model);
  const upstreams: { openai?: string; anthropic?: string } = {};
  const changed: Record<string, unknown> = {};
  for (const wire of ['openai', 'anthropic'] as const) {
    const models = Array.isArray(providers[wire]) ? providers[wire].filter(isRecord) : [];
    const { baseUrl } = models.find(({ id }) => id === name) ?? models[0] ?? {};
    if (typeof baseUrl !== 'string') continue;
    upstreams[wire] = baseUrl;
    // Models at other addresses stay there.
    changed[wire] = models.map((model) =>
      model.baseUrl === baseUrl ? { ...model, baseUrl: `{url}${paths[wire]}` } : model,
    );
  }
  if (Object.keys(changed).length === 0) return { env: variables };
  return {
    env: { ...variables, QWEN_CODE_SYSTEM_SETTINGS_PATH: '{file}' },
    file: { name: 'settings.json', text: JSON.stringify({ modelProviders: { ...providers, ...changed } }) },
    upstreams,
  };
}

function parseSettings(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    // With comments, for example.
    return {};
  }
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
