import type { Summarizer } from '@palimpsest/core';
import { summarizerByName } from '@palimpsest/summarizers/by-name';

/** A summarizer by name, for a command line or a job. Contains no keys: each machine has its own. */
export interface SummarizerChoice {
  /** `extractive`, `openai:MODEL` or `anthropic:MODEL`. @default 'extractive' */
  readonly summarizer?: string | undefined;
  /** URL of a compatible server. @default the provider's environment variable, or its own server */
  readonly baseUrl?: string | undefined;
  /** The model's context window in tokens. If it is known, larger regions are summarized in parts. @default unknown */
  readonly summarizerWindow?: number | undefined;
}

/**
 * Creates the summarizer with a name; `undefined` for `extractive`, which calls no model.
 * @throws {PalimpsestError} `OPTION_INVALID`, also if the provider's key is not in the environment
 */
export function chooseSummarizer(choice: SummarizerChoice, environment: NodeJS.ProcessEnv): Summarizer | undefined {
  const { summarizer: name = 'extractive', baseUrl: baseURL, summarizerWindow: contextLength } = choice;
  return name === 'extractive' ? undefined : summarizerByName(name, { baseURL, contextLength, environment });
}
