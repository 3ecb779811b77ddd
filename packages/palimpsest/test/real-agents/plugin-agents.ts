import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LoopbackServer } from '../../../../test/loopback-server/index.ts';
import type { RunFolders } from './agent-run.ts';

/** An agent that loads one of our plugins, and how its own configuration does that. */
export interface PluginAgent {
  /** The name of its program. */
  readonly name: string;
  /** Package and version. */
  readonly package: string;
  /** The major version of Node that it needs. @default the one that runs this test */
  readonly node?: string;
  /** Tokens of the model's window. Twice or more of what the agent sends before the conversation begins. */
  readonly window: number;
  /**
   * The tasks of the first conversation, for an agent that never shortens the task that it works on. Each is a process of
   * its own. @default one task of 200 rounds
   */
  readonly tasks?: { readonly count: number; readonly rounds: number };
  /**
   * What it does after a refusal, although it continues: its exit code, and whether it leaves out the last answer.
   * @default 0, and it prints the last answer
   */
  readonly afterRefusal?: { readonly exit?: number; readonly isSilent?: boolean };
  /** Our plugin asks its model for pages, behind the last request. @default false: rules write */
  readonly pages?: true;
  /** An error at its start after which a person has to start it again. */
  readonly restartAfter?: string;
  /** Our package. */
  readonly plugin: string;
  /** Variables of its process. */
  env(folders: RunFolders): Readonly<Record<string, string>>;
  /** Writes its configuration. @returns arguments for its program that install the plugin, if it has a command for that */
  configure(setup: PluginSetup): readonly string[] | null;
  /** Arguments for a task, in a new conversation or in the last one. */
  arguments(task: string, isContinued: boolean): readonly string[];
  /** Arguments for the command that undoes the last compaction, if our plugin has one that can be run without a person. */
  readonly undo?: readonly string[];
  /** What it has stored of the conversation, as text. @param run runs its program, and returns what that prints */
  history(folders: RunFolders, run: (...arguments_: readonly string[]) => string): string;
}

interface PluginSetup {
  readonly folders: RunFolders;
  readonly server: LoopbackServer;
}

const maxTokens = 4_000;

function pi(
  packageName: string,
  api: 'anthropic-messages' | 'openai-responses',
  own: Pick<PluginAgent, 'node' | 'afterRefusal' | 'pages'>,
): PluginAgent {
  return {
    name: 'pi',
    package: packageName,
    ...own,
    window: 16_000,
    plugin: '@palimpsest/pi',
    env: () => ({}),
    configure({ folders, server }) {
      const baseUrl = api === 'anthropic-messages' ? server.anthropicUrl : server.openaiUrl;
      const models = [{ id: 'small', contextWindow: this.window, maxTokens, input: ['text'] }];
      writeFile(join(folders.home, '.pi/agent/models.json'), {
        providers: { loopback: { baseUrl, apiKey: 'test-key', api, models } },
      });
      // Its defaults are for windows of more than 36,000 tokens.
      const compaction = { reserveTokens: maxTokens, keepRecentTokens: 4_000 };
      writeFile(join(folders.home, '.pi/agent/settings.json'), { compaction });
      return ['install', `npm:${this.plugin}`];
    },
    arguments: (task, isContinued) => [
      '-p',
      ...(isContinued ? ['-c'] : []),
      ...['--provider', 'loopback', '--model', 'small', task],
    ],
    undo: ['-p', '-c', '--provider', 'loopback', '--model', 'small', '/undo-compaction'],
    history: ({ home }) => textOfFiles(join(home, '.pi/agent/sessions'), (name) => name.endsWith('.jsonl')),
  };
}

/** opencode, and Kilo, which is built from it. */
function opencode(name: 'opencode' | 'kilo', packageName: string, window: number): PluginAgent {
  const prefix = name.toUpperCase();
  return {
    name,
    package: packageName,
    window,
    plugin: '@palimpsest/opencode',
    // The refusal counts as an error of the whole run.
    afterRefusal: { exit: 1 },
    env: ({ home }) => ({
      XDG_CONFIG_HOME: `${home}/config`,
      XDG_DATA_HOME: `${home}/data`,
      XDG_CACHE_HOME: `${home}/cache`,
      XDG_STATE_HOME: `${home}/state`,
      [`${prefix}_PERMISSION`]: '{"*":"allow"}',
      [`${prefix}_DISABLE_AUTOUPDATE`]: '1',
      [`${prefix}_DISABLE_MODELS_FETCH`]: '1',
    }),
    configure({ folders, server }) {
      const options = { baseURL: `${server.anthropicUrl}/v1`, apiKey: 'test-key' };
      const small = { name: 'Small', tool_call: true, limit: { context: window, output: maxTokens } };
      writeFile(join(folders.home, 'config', name, `${name}.json`), {
        plugin: [this.plugin],
        provider: { loopback: { npm: '@ai-sdk/anthropic', name: 'Loopback', options, models: { small } } },
      });
      return null;
    },
    arguments: (task, isContinued) => ['run', ...(isContinued ? ['-c'] : []), '-m', 'loopback/small', task],
    undo: ['run', '-c', '-m', 'loopback/small', '--command', 'undo-compaction'],
    history(_, run) {
      const [session = ''] = /ses_\w+/.exec(run('session', 'list')) ?? [];
      return run('export', session);
    },
  };
}

/** Starts a process for each task, which takes about a minute. */
const openclaw: PluginAgent = {
  name: 'openclaw',
  package: 'openclaw@2026.9.6',
  node: '24',
  window: 32_000,
  tasks: { count: 4, rounds: 20 },
  // OpenClaw says so at times, although nobody edits the plugin.
  restartAfter: 'Plugin source changed while preparing its reload',
  plugin: '@palimpsest/openclaw',
  env: () => ({}),
  configure({ folders, server }) {
    const models = [{ id: 'small', name: 'Small', input: ['text'], contextWindow: this.window, maxTokens }];
    const loopback = { baseUrl: server.anthropicUrl, apiKey: 'test-key', api: 'anthropic-messages', models };
    writeFile(join(folders.home, '.openclaw/openclaw.json'), {
      models: { providers: { loopback } },
      agents: { defaults: { model: { primary: 'loopback/small' }, workspace: folders.cwd, skipBootstrap: true } },
      tools: { exec: { security: 'full', ask: 'off' } },
      plugins: { slots: { contextEngine: 'palimpsest' } },
    });
    // A person is asked whether to trust the source, and whether the plugin may have tools.
    return ['plugins', 'install', '--force', '--accept-capabilities', this.plugin];
  },
  arguments: (task) => ['agent', '--local', '--session-id', 'checks', '--message', task],
  history({ cwd }, run) {
    run('sessions', 'export-trajectory', '--session-key', 'agent:main:explicit:checks', '--output', 'checks');
    const events = textOfFiles(join(cwd, '.openclaw/trajectory-exports/checks'), (name) =>
      name.endsWith('events.jsonl'),
    ).split('\n');
    // The other events are of the runtime, which sees what was sent.
    return events.filter((event) => event.includes('"source":"transcript"')).join('\n');
  },
};

export const pluginAgents: readonly PluginAgent[] = [
  // It ends its extensions before it tries a refused request again, and prints nothing more.
  pi('@mariozechner/pi-coding-agent@0.73.1', 'anthropic-messages', { afterRefusal: { isSilent: true } }),
  // Newer versions need packages that are not on npm in the same version.
  pi('@earendil-works/pi-coding-agent@0.87.1', 'openai-responses', { node: '22', pages: true }),
  opencode('opencode', 'opencode-ai@1.18.33', 32_000),
  // The newest version whose program is on npm.
  opencode('kilo', '@kilocode/cli@7.7.7', 48_000),
  openclaw,
];

function writeFile(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content, null, 2));
}

/** The text of the files in a folder. @param isWanted is given the path in the folder */
export function textOfFiles(folder: string, isWanted: (name: string) => boolean): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isWanted);
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
