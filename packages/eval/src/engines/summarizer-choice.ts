import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Summarizer } from '@palimpsest/core';
import { summarizerByName } from '@palimpsest/summary/by-name';

/**
 * Creates a summarizer from `extractive`, `openai:MODEL` or `anthropic:MODEL`.
 * @throws {CliError} for any other name, and if the API key of the model's provider is not set
 */
export function chooseSummarizer(name: string): Summarizer {
  try {
    return summarizerByName(name);
  } catch (error) {
    const reason = (error as Error).message.replace(/^One option is not valid:\s*summarizer:/, '--summarizer:');
    throw CliError.badUsage(printable(reason.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '')), error);
  }
}
