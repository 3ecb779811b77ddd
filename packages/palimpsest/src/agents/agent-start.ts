import { CliError } from '@palimpsest/command-line/cli-error';
import { isRecord } from '@palimpsest/core/authoring';

/** Environment, arguments and file that an agent is started with. */
export interface StartSettings {
  /** Variables that replace those of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments placed before the user's own. */
  readonly arguments?: readonly string[];
  /** A temporary file. `{file}` in the arguments is replaced by its path. It is removed when the agent ends. */
  readonly file?: { readonly name: string; readonly text: string };
}

/** Returns the settings that make an agent use the proxy. @param url the proxy's address */
export type AgentStart = (url: string, env: Readonly<Record<string, string | undefined>>) => StartSettings;

/** Agents by the name of their program. */
const agents: Readonly<Record<string, AgentStart>> = {
  // https://code.claude.com/docs/en/llm-gateway
  claude: (url, env) => ({
    env: {
      ANTHROPIC_BASE_URL: `${url}/anthropic`,
      ANTHROPIC_VERTEX_BASE_URL: `${url}/vertex/v1`,
      ...bedrockVariables(url, env),
    },
  }),
  // The provider "openai" is built in; the first setting changes only its address. With a ChatGPT login, Codex compresses requests in
  // a way that Node 20 cannot read.
  codex: (url) => ({
    arguments: ['-c', `openai_base_url="${url}/openai/v1"`, '-c', 'features.enable_request_compression=false'],
  }),
  opencode: (url, env) => ({ env: { OPENCODE_CONFIG_CONTENT: opencodeConfig(url, env.OPENCODE_CONFIG_CONTENT) } }),
  pi: (url) => ({
    arguments: ['--extension', '{file}'],
    file: { name: 'palimpsest-proxy.mjs', text: piExtension(url) },
  }),
  // https://geminicli.com/docs/reference/configuration
  gemini: (url) => ({
    env: { GOOGLE_GEMINI_BASE_URL: `${url}/gemini`, GOOGLE_VERTEX_BASE_URL: `${url}/vertex` },
  }),
  // LiteLLM reads the _API_BASE names.
  aider: (url) => ({
    env: {
      OPENAI_API_BASE: `${url}/openai/v1`,
      OPENAI_BASE_URL: `${url}/openai/v1`,
      ANTHROPIC_API_BASE: `${url}/anthropic`,
      ANTHROPIC_BASE_URL: `${url}/anthropic`,
    },
  }),
};

/** Only for an agent with an API key of Bedrock: signed requests need credentials in the proxy, too. */
function bedrockVariables(
  url: string,
  { AWS_BEARER_TOKEN_BEDROCK: key }: Parameters<AgentStart>[1],
): Readonly<Record<string, string>> {
  if (!key) return {};
  // Not AWS_ENDPOINT_URL_BEDROCK_RUNTIME: AWS's SDK for JavaScript uses HTTP/2, which the proxy does not.
  return { ANTHROPIC_BEDROCK_BASE_URL: `${url}/bedrock` };
}

const anyAgent: AgentStart = (url, env) => ({
  env: {
    OPENAI_BASE_URL: `${url}/openai/v1`,
    ANTHROPIC_BASE_URL: `${url}/anthropic`,
    ANTHROPIC_VERTEX_BASE_URL: `${url}/vertex/v1`,
    GOOGLE_GEMINI_BASE_URL: `${url}/gemini`,
    GOOGLE_VERTEX_BASE_URL: `${url}/vertex`,
    ...bedrockVariables(url, env),
  },
});

/**
 * Returns how to start an agent. A program that is not known gets general settings.
 * @param program its name or path
 */
export function agentStart(program: string): AgentStart {
  const name = program.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|ps1)$/i, '');
  return Object.hasOwn(agents, name) ? agents[name]! : anyAgent;
}

/** The configuration of opencode that is given in the environment, with the addresses of two providers. */
function opencodeConfig(url: string, given: string | undefined): string {
  const config = parseObject(given);
  const providers = record(config.provider);
  const at = (name: string, baseURL: string): object => {
    const provider = record(providers[name]);
    return { ...provider, options: { ...record(provider.options), baseURL } };
  };
  const provider = {
    ...providers,
    openai: at('openai', `${url}/openai/v1`),
    anthropic: at('anthropic', `${url}/anthropic/v1`),
  };
  return JSON.stringify({ ...config, provider });
}

function parseObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return record(JSON.parse(text ?? '{}'));
  } catch {
    throw CliError.badInput('OPENCODE_CONFIG_CONTENT in the environment is not JSON; correct it, or unset it');
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function piExtension(url: string): string {
  return `export default (pi) => {
  pi.registerProvider('openai', { baseUrl: '${url}/openai/v1' });
  pi.registerProvider('anthropic', { baseUrl: '${url}/anthropic' });
};
`;
}
