/** An agent that can be installed from npm, and how it is run without a person. */
export interface RealAgent {
  readonly name: string;
  /** Package and version. */
  readonly package: string;
  /** The major version of Node that it needs. @default the one that runs this test */
  readonly node?: string;
  /** How it is logged in, if not with an API key. */
  readonly login?: string;
  /** The command without the options of this test, as documentation shows it. */
  readonly shown: string;
  /** Arguments for one task, to which the agent says yes to everything. */
  arguments(task: string): readonly string[];
  /** Variables besides the keys. @param home a folder of its own */
  env(home: string): Readonly<Record<string, string>>;
  /** A file of settings in its home, by its path there. */
  readonly settings?: readonly [path: string, text: string];
  /** Matches requests that its provider refuses as it sends them, without a proxy too. */
  readonly invalid?: RegExp;
  /** Registers an MCP server. @param command the server's program and arguments */
  mcp?(command: readonly [string, ...string[]]): McpRegistration;
}

/** Arguments and variables that register an MCP server. */
interface McpRegistration {
  readonly arguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A part of the name of the session that is searched. @default none: the newest */
  readonly session?: string;
}

/** Claude Code in a version. The versions put their instructions into different messages. */
function claudeCode(version: string): RealAgent {
  return {
    name: 'claude',
    shown: 'claude -p',
    package: `@anthropic-ai/claude-code@${version}`,
    arguments: (task) => [
      '-p',
      '--model',
      'claude-sonnet-4-6',
      '--allowedTools',
      'Bash',
      'mcp__palimpsest__recall',
      '--',
      task,
    ],
    env: (home) => ({
      CLAUDE_CONFIG_DIR: `${home}/claude`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    // Its log on disk is searched, and not the conversation of the proxy.
    mcp: ([command, ...args]) => ({
      arguments: ['--mcp-config', JSON.stringify({ mcpServers: { palimpsest: { command, args } } })],
      // Otherwise the model has to search for the tool first.
      env: { ENABLE_TOOL_SEARCH: 'false' },
      session: '.jsonl',
    }),
  };
}

const codex: RealAgent = {
  name: 'codex',
  shown: 'codex exec',
  package: '@openai/codex@0.171.0',
  arguments: (task) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    '-m',
    'gpt-5',
    task,
  ],
  env: (home) => ({ CODEX_HOME: home, CODEX_API_KEY: 'test-key' }),
  mcp: ([program, ...own]) => ({
    arguments: [
      '-c',
      `mcp_servers.palimpsest.command=${JSON.stringify(program)}`,
      '-c',
      `mcp_servers.palimpsest.args=${JSON.stringify(own)}`,
    ],
  }),
};

/** A token that Codex can read, and that no service accepts. */
const chatgptToken = [
  { alg: 'none' },
  {
    exp: 4_000_000_000,
    email: 'a@example.com',
    'https://api.openai.com/auth': { chatgpt_plan_type: 'plus', chatgpt_account_id: 'account-1' },
  },
  'signature',
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

/** opencode, and Kilo, which is built from it. */
function opencode(name: 'opencode' | 'kilo', packageName: string): RealAgent {
  const prefix = name.toUpperCase();
  return {
    name,
    shown: `${name} run`,
    package: packageName,
    arguments: (task) => ['run', '-m', 'anthropic/claude-sonnet-4-6', task],
    env: (home) => ({
      XDG_CONFIG_HOME: `${home}/config`,
      XDG_DATA_HOME: `${home}/data`,
      XDG_CACHE_HOME: `${home}/cache`,
      XDG_STATE_HOME: `${home}/state`,
      [`${prefix}_PERMISSION`]: '{"*":"allow"}',
      [`${prefix}_DISABLE_AUTOUPDATE`]: '1',
      [`${prefix}_DISABLE_MODELS_FETCH`]: '1',
    }),
    mcp: (command) => ({
      env: { [`${prefix}_CONFIG_CONTENT`]: JSON.stringify({ mcp: { palimpsest: { type: 'local', command } } }) },
    }),
  };
}

const copilot: RealAgent = {
  name: 'copilot',
  shown: 'copilot -p',
  package: '@github/copilot@1.0.102',
  arguments: (task) => ['--allow-all-tools', '--no-auto-update', '-p', task],
  env: () => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: 'https://api.openai.com/v1',
    COPILOT_PROVIDER_API_KEY: 'test-key',
    COPILOT_MODEL: 'gpt-5',
  }),
};

/** Cline with a provider. Cline with an API key of its own. */
function cline(provider: string, model: string): RealAgent {
  return {
    name: 'cline',
    shown: 'cline',
    package: 'cline@3.0.65',
    arguments: (task) => [task],
    settings: [
      '.cline/data/settings/providers.json',
      JSON.stringify({
        version: 1,
        lastUsedProvider: provider,
        modes: {},
        providers: {
          [provider]: {
            settings: { provider, apiKey: 'test-key', model },
            updatedAt: '2026-11-28T12:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    ],
    env: () => ({}),
  };
}

export const realAgents: readonly RealAgent[] = [
  claudeCode('2.1.332'),
  claudeCode('2.1.197'),
  codex,
  opencode('opencode', 'opencode-ai@1.18.33'),
  // The newest version whose program is on npm.
  opencode('kilo', '@kilocode/cli@7.7.7'),
  copilot,
  cline('anthropic', 'claude-sonnet-4-6'),
  {
    name: 'gemini',
    shown: 'gemini -p',
    package: '@google/gemini-cli@0.61.0',
    arguments: (task) => ['--yolo', '--skip-trust', '--model', 'gemini-3-pro-preview', '-p', task],
    // Its check for loops begins with a call: https://github.com/google-gemini/gemini-cli/issues/11814
    invalid: /Please analyze the conversation history to determine the possibility that the conversation is stuck/,
    // Without a login that was chosen, it expects that another address has a login of its own.
    settings: ['.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}}}'],
    env: () => ({ GEMINI_API_KEY: 'test-key', GEMINI_TELEMETRY_ENABLED: 'false' }),
  },
  {
    name: 'qwen',
    shown: 'qwen -p',
    package: '@qwen-code/qwen-code@0.24.4',
    node: '22',
    arguments: (task) => ['--yolo', '-p', task],
    // As its `/auth` writes them. The address comes before the variables of the environment.
    settings: [
      '.qwen/settings.json',
      JSON.stringify({
        modelProviders: {
          openai: [{ id: 'qwen3-coder-plus', baseUrl: 'https://example.com/v1', envKey: 'OPENAI_API_KEY' }],
        },
        security: { auth: { selectedType: 'openai' } },
        model: { name: 'qwen3-coder-plus' },
      }),
    ],
    env: () => ({}),
  },
  {
    name: 'pi',
    shown: 'pi -p',
    package: '@mariozechner/pi-coding-agent@0.73.1',
    arguments: (task) => ['-p', '--provider', 'openai', '--model', 'gpt-5', task],
    env: () => ({}),
  },
];

/** Agents that are not in this test, and why. */
export const agentsNotTried: Readonly<Record<string, string>> = {
  aider: 'on PyPI, not on npm; it gets `OPENAI_API_BASE` and `ANTHROPIC_API_BASE`',
  crush:
    '`@charmland/crush` on npm has only a script that downloads the program from GitHub, which this test does not reach',
  goose: 'neither on npm nor in Debian',
  'kilo 7.8.1': 'its programs are not on npm in this version; 7.7.7 was tried',
};

/** The same agents with other logins: forged ones, which the strict provider expects. */
export const otherLogins: readonly RealAgent[] = [
  {
    ...claudeCode('2.1.332'),
    login: 'subscription',
    env: (home) => ({
      ...claudeCode('2.1.332').env(home),
      ANTHROPIC_API_KEY: '',
      CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-test',
    }),
  },
  {
    ...claudeCode('2.1.332'),
    login: 'Vertex',
    env: (home) => ({
      ...claudeCode('2.1.332').env(home),
      ANTHROPIC_API_KEY: '',
      CLAUDE_CODE_USE_VERTEX: '1',
      CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
      ANTHROPIC_CUSTOM_HEADERS: 'Authorization: Bearer google-token',
      ANTHROPIC_VERTEX_PROJECT_ID: 'my-project',
      CLOUD_ML_REGION: 'us-east5',
    }),
  },
  {
    ...codex,
    login: 'ChatGPT',
    env: (home) => ({ CODEX_HOME: home, OPENAI_API_KEY: '' }),
    settings: [
      'auth.json',
      JSON.stringify({
        auth_mode: 'chatgpt',
        OPENAI_API_KEY: null,
        tokens: { id_token: chatgptToken, access_token: chatgptToken, refresh_token: 'r', account_id: 'account-1' },
        last_refresh: new Date().toISOString(),
      }),
    ],
  },
];
