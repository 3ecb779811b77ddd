import type { Terminal } from '@palimpsest/command-line/terminal';
import { engineReference } from '@palimpsest/eval/engines/choose-engines';
import { configHelp } from '@palimpsest/eval/engines/engine-options';
import type { FolderTerminal } from '@palimpsest/eval/engines/folder-trust';
import { parseTokens } from '@palimpsest/eval/engines/parse-tokens';
import { projectConfig } from '@palimpsest/eval/engines/project-config';
import type { ModelPrices } from '@palimpsest/tokens/models';
import { type Command, Option } from 'commander';
import type { ProxyOptions } from '../proxy/proxy-options.ts';
import { type UpstreamName, upstreamUrl } from '../proxy/upstreams.ts';
import { openStore } from './open-store.ts';
import { parseModelPrices } from './parse-prices.ts';
import type { ServingFlags } from './serving-flags.ts';

/** The options of every command that starts a proxy. */
export interface ProxyFlags {
  readonly openai?: string;
  readonly chatgpt?: string;
  readonly anthropic?: string;
  readonly gemini?: string;
  readonly vertex?: string;
  readonly bedrock?: string;
  readonly ollama?: string;
  readonly engine?: string;
  readonly config?: string;
  readonly window?: number;
  readonly store?: string;
  readonly recall: boolean;
  readonly summaries: 'model' | 'rules';
  readonly compaction: 'auto' | 'serve';
  readonly price?: ModelPrices;
  readonly observe?: boolean;
}

/** The variables that name a provider's address, and the address without them. */
const providers = {
  openai: { variables: ['OPENAI_BASE_URL'], address: 'https://api.openai.com/v1' },
  chatgpt: { variables: [], address: 'https://chatgpt.com/backend-api/codex' },
  anthropic: { variables: ['ANTHROPIC_BASE_URL'], address: 'https://api.anthropic.com' },
  gemini: { variables: ['GOOGLE_GEMINI_BASE_URL'], address: 'https://generativelanguage.googleapis.com' },
  // Without an address, at Google.
  vertex: { variables: ['ANTHROPIC_VERTEX_BASE_URL', 'GOOGLE_VERTEX_BASE_URL'] },
  // Without an address, at Amazon.
  bedrock: { variables: ['ANTHROPIC_BEDROCK_BASE_URL', 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME'] },
  ollama: { variables: ['OLLAMA_HOST'], address: 'http://127.0.0.1:11434' },
} as const;

/** Adds the options that configure a proxy. */
export function addProxyOptions(command: Command): Command {
  return command
    .option('--openai <url>', 'where OpenAI requests go (default: $OPENAI_BASE_URL, or api.openai.com)')
    .option(
      '--chatgpt <url>',
      'where requests of Codex with a ChatGPT login go (default: that of --openai, or chatgpt.com)',
    )
    .option('--anthropic <url>', 'where Anthropic requests go (default: $ANTHROPIC_BASE_URL, or api.anthropic.com)')
    .option('--gemini <url>', 'where Gemini requests go (default: $GOOGLE_GEMINI_BASE_URL, or Google)')
    .option(
      '--vertex <url>',
      'where Vertex requests go (default: $ANTHROPIC_VERTEX_BASE_URL, $GOOGLE_VERTEX_BASE_URL, or Google)',
    )
    .option(
      '--bedrock <url>',
      'where Bedrock requests go (default: $ANTHROPIC_BEDROCK_BASE_URL, $AWS_ENDPOINT_URL_BEDROCK_RUNTIME, or Amazon)',
    )
    .option('--ollama <url>', "where requests of Ollama's own API go (default: $OLLAMA_HOST, or 127.0.0.1:11434)")
    .option('--engine <name>', 'the engine, by name or path (default: the configured one, or compressor)')
    .option('--config <file>', configHelp)
    .option(
      '--window <tokens>',
      'the largest window to use, such as 64k (default: the window of the model)',
      parseTokens,
    )
    .option(
      '--store <where>',
      'keep conversations, so that they continue after a restart and on other servers: a folder, redis://… or postgres://…',
    )
    .addOption(
      new Option('--summaries <who>', "who writes the summaries: the agent's own model, with its login, or rules")
        .choices(['model', 'rules'])
        .default('model'),
    )
    .addOption(
      new Option(
        '--compaction <where>',
        "the provider's own compaction: serve it here, or only where the provider refuses it (auto)",
      )
        .choices(['auto', 'serve'])
        .default('auto'),
    )
    .option(
      '--price <dollars>',
      'dollars per million tokens, instead of list prices: input,output,cached,written to the cache',
      parseModelPrices,
    )
    .option('--no-recall', 'do not offer the model the two tools that search what was removed')
    .option('--observe', 'change nothing, and report what would have been done');
}

/** Says who writes the summaries, and how to change it. */
export function writerWords({ observe, summaries }: ProxyFlags): string {
  return summaries === 'rules' || observe
    ? 'summaries by rules'
    : "summaries by the agent's own model, with its login; --summaries rules switches that off";
}

/**
 * Returns the options to start a proxy with.
 * @throws {CliError} for an invalid address, store or configuration @throws {PalimpsestError} for an unknown engine
 */
export async function proxySettings(
  flags: ProxyFlags & Pick<ServingFlags, 'tokens'>,
  terminal: FolderTerminal & Pick<Terminal, 'env'>,
): Promise<Omit<ProxyOptions, 'port'>> {
  const { cwd, env, home } = terminal;
  const config = await projectConfig(terminal, flags.config);
  const { context, file } = config;
  const readAddress = (name: UpstreamName): URL | null => {
    if (flags[name] !== undefined) return upstreamUrl(flags[name], `--${name}`);
    const variable = providers[name].variables.find((one) => env[one]);
    if (variable === undefined) return null;
    const text = env[variable]!;
    return upstreamUrl(name === 'ollama' ? ollamaAddress(text) : text, variable);
  };
  const address = (name: Exclude<UpstreamName, 'vertex' | 'bedrock'>): URL =>
    readAddress(name) ?? new URL(providers[name].address);
  return {
    upstreams: {
      openai: address('openai'),
      // A server that is named for OpenAI gets the requests of every login.
      chatgpt: readAddress('chatgpt') ?? readAddress('openai') ?? address('chatgpt'),
      anthropic: address('anthropic'),
      gemini: address('gemini'),
      vertex: readAddress('vertex'),
      bedrock: readAddress('bedrock') ?? regionOf(env),
      // A server on this machine is open to tenants only if it is named.
      ollama: flags.tokens === undefined ? address('ollama') : readAddress('ollama'),
    },
    config:
      flags.engine === undefined ? context : { ...context, engine: await engineReference(flags.engine, config, cwd) },
    configFile: file ?? undefined,
    directory: cwd,
    home,
    window: flags.window,
    store: flags.store === undefined || flags.observe ? undefined : await openStore(flags.store, cwd),
    recall: flags.recall,
    summaries: flags.summaries,
    compaction: flags.compaction,
    prices: flags.price,
    isObserving: flags.observe,
  };
}

/** The region for requests to Bedrock whose signature names none. */
function regionOf({ AWS_REGION: region, AWS_DEFAULT_REGION: other }: Terminal['env']): string {
  return [region, other].find((name) => /^[a-z]{2,}(?:-[a-z]+)+-\d+$/.test(name ?? '')) ?? 'us-east-1';
}

/** The port of Ollama. */
const usualPort = '11434';

/** Completes `OLLAMA_HOST` as Ollama does: scheme and port may be missing. A server that listens everywhere is also on this machine. */
function ollamaAddress(host: string): string {
  if (host.includes('://')) return host;
  const text = `http://${host.replace(/^(?:0\.0\.0\.0|\[::\])?(?=:|\/|$)/, '127.0.0.1')}`;
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (!/:\d+(?:\/|$)/.test(host)) url.port = usualPort;
  return url.href;
}
