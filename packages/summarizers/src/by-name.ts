import { PalimpsestError, type Summarizer } from '@palimpsest/core';
import { extractive } from '@palimpsest/summary';
import { anthropicSummarizer } from './anthropic.ts';
import { openaiSummarizer } from './openai.ts';

export type { SummarizersErrorCode } from './error-code.ts';

export interface SummarizerByNameOptions {
  /** A compatible server. @default the provider's, or what its variable says */
  readonly baseURL?: string | undefined;
  /** The model's context window in tokens; larger middles are then summarized in parts. @default unknown */
  readonly contextLength?: number | undefined;
  /** Where keys and servers are looked up, under the names the SDKs give them. @default `process.env` */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

interface Provider {
  readonly key: string;
  readonly url: string;
  create(options: {
    model: string;
    apiKey: string;
    baseURL: string | undefined;
    contextLength: number | undefined;
  }): Summarizer;
}

const providers: Readonly<Record<string, Provider>> = {
  openai: { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL', create: openaiSummarizer },
  anthropic: { key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL', create: anthropicSummarizer },
};

/**
 * The summarizer a command line, a job or a file of settings names: `extractive`, `openai:MODEL` or `anthropic:MODEL`.
 * Keys never stand in a name: each machine has its own, in its environment.
 * @throws {PalimpsestError} `OPTION_INVALID` for another name, and when the key of a provider is not set
 */
export function summarizerByName(name: string, options: SummarizerByNameOptions = {}): Summarizer {
  if (name === 'extractive') return extractive();
  const [, providerName = '', model = ''] = /^(\w+):(.+)$/.exec(name) ?? [];
  const provider = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
  const shown = JSON.stringify(name.slice(0, 60));
  if (!provider) throw refuse(`${shown} is no summarizer; write extractive, openai:MODEL or anthropic:MODEL`);
  const environment = options.environment ?? ofProcess();
  // As the SDKs read them: a line break behind a key, from a file, is no part of it.
  const variable = (of: string): string | undefined => environment[of]?.trim() || undefined;
  const apiKey = variable(provider.key);
  if (!apiKey) throw refuse(`the summarizer ${shown} needs a key; set ${provider.key}`);
  const baseURL = options.baseURL ?? variable(provider.url);
  return provider.create({ model, apiKey, baseURL, contextLength: options.contextLength });
}

/** Nothing in a browser. */
function ofProcess(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { readonly process?: { readonly env: Record<string, string | undefined> } };
  return process?.env ?? {};
}

function refuse(message: string): PalimpsestError {
  return new PalimpsestError('OPTION_INVALID', `${message}.`, { issues: [{ path: ['summarizer'], message }] });
}
