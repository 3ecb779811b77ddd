import { printable } from '@palimpsest/command-line/printable';
import type { Summarizer } from '@palimpsest/core';
import { summarizerByName } from '@palimpsest/summarizers/by-name';
import { CliError } from './cli-error.ts';

/**
 * Reads `extractive`, `openai:MODEL` or `anthropic:MODEL`.
 * @throws {CliError} for anything else, and for a model whose key is not set
 */
export function chooseSummarizer(name: string): Summarizer {
  try {
    return summarizerByName(name);
  } catch (error) {
    throw CliError.badUsage(printable((error as Error).message.replace(/\.$/, '')), error);
  }
}
