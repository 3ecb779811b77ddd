import { PalimpsestError } from '@palimpsest/core';
import { loadPeer } from './load-peer.ts';
import { createTokenCounter, type MessageTokenCounter, type TokenCounterOptions } from './token-counter.ts';

/** The encodings whose vocabulary is public. */
export type ExactEncoding = 'o200k_base' | 'cl100k_base';

/** The one function of `gpt-tokenizer` that is used here. */
type CountTokens = (text: string, options: { readonly disallowedSpecial: Set<string> }) => number;

// Each import is literal, so that a bundler sees it and an application loads the vocabulary it uses and no other.
const vocabularies: Readonly<Record<ExactEncoding, () => Promise<{ readonly countTokens: CountTokens }>>> = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base') as Promise<{ countTokens: CountTokens }>,
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base') as Promise<{ countTokens: CountTokens }>,
};

/** Nothing is special: `<|endoftext|>` inside a tool result is the thirteen characters it looks like. */
const ordinary = { disallowedSpecial: new Set<string>() };
/**
 * Longest stretch given to the tokenizer at once. Byte-pair merging of one long unbroken word is slower than linear, so
 * longer texts are cut, after a line break where there is one near: at most one token too many per cut.
 */
const stretch = 32_768;

/**
 * Loads the exact tokenizer of an encoding: some 2 MB of vocabulary, once per process.
 * @returns a function that counts a text's tokens; it never throws
 * @throws PalimpsestError `DEPENDENCY_MISSING` without the package `gpt-tokenizer`, `OPTION_INVALID` for another encoding
 */
export async function loadExactTokenizer(encoding: ExactEncoding = 'o200k_base'): Promise<(text: string) => number> {
  if (!Object.hasOwn(vocabularies, encoding)) {
    const message = `exact: no public vocabulary '${String(encoding)}'; known: ${Object.keys(vocabularies).join(', ')}`;
    throw new PalimpsestError('OPTION_INVALID', message, { issues: [{ path: ['encoding'], message }] });
  }
  const { countTokens } = await loadPeer('gpt-tokenizer', 'Counting tokens exactly', vocabularies[encoding]);
  return (text) => {
    if (typeof text !== 'string') return 0;
    let total = 0;
    for (let from = 0; from < text.length; ) {
      const to = cut(text, from);
      total += countTokens(text.slice(from, to), ordinary);
      from = to;
    }
    return total;
  };
}

function cut(text: string, from: number): number {
  const to = from + stretch;
  if (to >= text.length) return text.length;
  for (const separator of ['\n', ' ']) {
    const at = text.lastIndexOf(separator, to);
    // The separator of words goes with the word after it, a line break with the line before.
    if (at > from + stretch / 2) return separator === '\n' ? at + 1 : at;
  }
  const code = text.charCodeAt(to);
  return code >= 0xdc00 && code <= 0xdfff ? to - 1 : to;
}

/**
 * Creates a counter that counts text exactly; messages, images and requests are priced as the estimating counter does.
 * @throws as {@link loadExactTokenizer}
 */
export async function createExactTokenCounter(
  options: Omit<TokenCounterOptions, 'countText' | 'encoding'> & { readonly encoding?: ExactEncoding | undefined } = {},
): Promise<MessageTokenCounter> {
  return createTokenCounter({ ...options, countText: await loadExactTokenizer(options.encoding) });
}
