import { PalimpsestError, type Summarizer } from '@palimpsest/core';
import { anthropicSummarizer } from '@palimpsest/summarizers/anthropic';
import { openaiSummarizer } from '@palimpsest/summarizers/openai';

/** A summarizer by name, as a command line or a job says it. Keys never stand in it: each machine has its own. */
export interface SummarizerChoice {
  /** `extractive`, `openai:MODEL` or `anthropic:MODEL`. @default 'extractive' */
  readonly summarizer?: string | undefined;
  /** A compatible server. @default the provider's, or what its variable says */
  readonly baseUrl?: string | undefined;
  /** The model's context window in tokens; larger regions are then summarized in parts. @default unknown */
  readonly summarizerWindow?: number | undefined;
}

interface Provider {
  /** The variables its SDK reads. */
  readonly key: string;
  readonly url: string;
  create(options: { model: string; baseURL: string | undefined; contextLength: number | undefined }): Summarizer;
}

const providers: Readonly<Record<string, Provider>> = {
  openai: { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL', create: openaiSummarizer },
  anthropic: { key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL', create: anthropicSummarizer },
};

/**
 * The summarizer behind a name; `undefined` for the rules that call no model.
 * @throws {PalimpsestError} `OPTION_INVALID`, also when the key of a provider is not in the environment
 */
export function chooseSummarizer(choice: SummarizerChoice, environment: NodeJS.ProcessEnv): Summarizer | undefined {
  const { summarizer: name = 'extractive', baseUrl, summarizerWindow } = choice;
  if (name === 'extractive') return undefined;
  const [, providerName = '', model = ''] = /^(\w+):(.+)$/.exec(name) ?? [];
  const provider = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
  if (!provider)
    throw refuse(`"${name.slice(0, 60)}" is no summarizer; write extractive, openai:MODEL or anthropic:MODEL`);
  if (!environment[provider.key])
    throw refuse(`the summarizer "${name.slice(0, 60)}" needs a key; set ${provider.key}`);
  return provider.create({ model, baseURL: baseUrl ?? environment[provider.url], contextLength: summarizerWindow });
}

function refuse(message: string): PalimpsestError {
  return new PalimpsestError('OPTION_INVALID', `${message}.`, { issues: [{ path: ['summarizer'], message }] });
}
