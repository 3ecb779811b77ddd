import type { Summarizer } from '@palimpsest/core';
import { extractive } from '@palimpsest/summarizers/extractive';
import { Complaint } from './complaint.ts';
import { printable } from './printable.ts';

/**
 * Reads `extractive`, `openai:MODEL` or `anthropic:MODEL`.
 * @throws {Complaint} for anything else
 */
export function chooseSummarizer(text: string): Summarizer {
  if (text === 'extractive') return extractive();
  const [provider, model] = [text.split(':', 1)[0]!, text.slice(text.indexOf(':') + 1)];
  if ((provider === 'openai' || provider === 'anthropic') && text.includes(':') && model !== '')
    throw Complaint.badUsage(
      `the summarizer "${provider}" is not part of this version; use extractive, which needs no model`,
    );
  throw Complaint.badUsage(
    `"${printable(text, 60)}" is no summarizer; write extractive, openai:MODEL or anthropic:MODEL`,
  );
}

/** A summarizer that counts how often it is asked: the engine's own figures are not taken on trust. */
export function counted(summarizer: Summarizer): Summarizer & { readonly calls: () => number } {
  let calls = 0;
  return {
    ...summarizer,
    calls: () => calls,
    summarize: (request) => {
      calls++;
      return summarizer.summarize(request);
    },
  };
}
