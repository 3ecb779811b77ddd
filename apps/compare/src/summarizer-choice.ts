import { env } from 'node:process';
import type { Summarizer } from '@palimpsest/core';
import { anthropicSummarizer } from '@palimpsest/summarizers/anthropic';
import { extractive } from '@palimpsest/summarizers/extractive';
import { openaiSummarizer } from '@palimpsest/summarizers/openai';
import { Complaint } from './complaint.ts';
import { printable } from './printable.ts';

/** Writers behind a model, with the variable their SDK reads the key from. */
const models: Readonly<Record<string, { readonly key: string; create(model: string): Summarizer }>> = {
  openai: { key: 'OPENAI_API_KEY', create: (model) => openaiSummarizer({ model }) },
  anthropic: { key: 'ANTHROPIC_API_KEY', create: (model) => anthropicSummarizer({ model }) },
};

/**
 * Reads `extractive`, `openai:MODEL` or `anthropic:MODEL`.
 * @throws {Complaint} for anything else, and for a model whose key is not set
 */
export function chooseSummarizer(text: string): Summarizer {
  if (text === 'extractive') return extractive();
  const [, provider = '', model = ''] = /^(\w+):(.+)$/.exec(text) ?? [];
  const writer = Object.hasOwn(models, provider) ? models[provider] : undefined;
  if (!writer)
    throw Complaint.badUsage(
      `"${printable(text, 60)}" is no summarizer; write extractive, openai:MODEL or anthropic:MODEL`,
    );
  if (!env[writer.key])
    throw Complaint.badUsage(`the summarizer "${printable(text, 60)}" needs a key; set ${writer.key}`);
  return writer.create(model);
}
