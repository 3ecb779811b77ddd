import type { Summarizer } from '@palimpsest/core';
import { summarizerByName } from '@palimpsest/summarizers/by-name';

/** A summarizer by name, as a command line or a job says it. Keys never stand in it: each machine has its own. */
export interface SummarizerChoice {
  /** `extractive`, `openai:MODEL` or `anthropic:MODEL`. @default 'extractive' */
  readonly summarizer?: string | undefined;
  /** A compatible server. @default the provider's, or what its variable says */
  readonly baseUrl?: string | undefined;
  /** The model's context window in tokens; larger regions are then summarized in parts. @default unknown */
  readonly summarizerWindow?: number | undefined;
}

/**
 * The summarizer behind a name; `undefined` for the rules that call no model.
 * @throws {PalimpsestError} `OPTION_INVALID`, also when the key of a provider is not in the environment
 */
export function chooseSummarizer(choice: SummarizerChoice, environment: NodeJS.ProcessEnv): Summarizer | undefined {
  const { summarizer: name = 'extractive', baseUrl: baseURL, summarizerWindow: contextLength } = choice;
  return name === 'extractive' ? undefined : summarizerByName(name, { baseURL, contextLength, environment });
}
