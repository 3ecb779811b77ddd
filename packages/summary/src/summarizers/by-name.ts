import type { Summarizer } from '@palimpsest/core';
import { anyRule, checkOptions, invalidOption, isRecord, type RulesOf, textRule } from '@palimpsest/core/authoring';
import { extractive } from '../offline/extractive.ts';
import { anthropicSummarizer } from './anthropic.ts';
import { openaiSummarizer } from './openai.ts';

/** Options of {@link summarizerByName}. */
export interface SummarizerByNameOptions {
  /** URL of a compatible server. @default the provider's environment variable, or its own server */
  readonly baseURL?: string | undefined;
  /** The model's context window in tokens. If set, a larger middle is summarized in parts. @default unknown */
  readonly contextLength?: number | undefined;
  /** The longest wait for an answer, in milliseconds. @default the engine's limit, 120,000 */
  readonly timeoutMs?: number | undefined;
  /** Environment variables with keys and servers, under the names that the SDKs use. @default `process.env` */
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
    timeoutMs: number | undefined;
  }): Summarizer;
}

const providers: Readonly<Record<string, Provider>> = {
  openai: { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL', create: openaiSummarizer },
  anthropic: { key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL', create: anthropicSummarizer },
};

const rules: RulesOf<SummarizerByNameOptions> = {
  baseURL: textRule,
  contextLength: anyRule,
  timeoutMs: anyRule,
  environment: { expected: 'an object of environment variables', isValid: isRecord },
};

/**
 * Creates a summarizer by name, for command lines, jobs and configuration files: `extractive`, `openai:MODEL` or
 * `anthropic:MODEL`. A name contains no key: each machine has its own key in its environment.
 * @throws {PalimpsestError} `OPTION_INVALID` for an unknown name, or if the provider's key is not set
 */
export function summarizerByName(name: string, options: SummarizerByNameOptions = {}): Summarizer {
  checkOptions('summarizerByName', options, rules);
  if (name === 'extractive') return extractive();
  const [, providerName = '', model = ''] = /^(\w+):(.+)$/.exec(String(name)) ?? [];
  const provider = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
  const shown = JSON.stringify(String(name).slice(0, 60));
  if (!provider) throw invalidOption('summarizer', 'extractive, openai:MODEL or anthropic:MODEL', shown);
  const environment = options.environment ?? processEnvironment();
  // Trimmed as the SDKs do: a key from a file may end with a line break.
  const variable = (of: string): string | undefined => environment[of]?.trim() || undefined;
  const apiKey = variable(provider.key);
  if (!apiKey) throw invalidOption('summarizer', `the key of ${shown} in ${provider.key}`, 'nothing');
  const baseURL = options.baseURL ?? variable(provider.url);
  return provider.create({
    model,
    apiKey,
    baseURL,
    contextLength: options.contextLength,
    timeoutMs: options.timeoutMs,
  });
}

/** The environment variables of the process; empty in a browser. */
function processEnvironment(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { readonly process?: { readonly env: Record<string, string | undefined> } };
  return process?.env ?? {};
}
