import { PalimpsestError } from '@palimpsest/core';
import { createTokenCounter, type MessageTokenCounter, type TokenCounterOptions } from './counter/token-counter.ts';
import { loadPeer } from './load-peer.ts';

/** Encodings with a public vocabulary. */
export type ExactEncoding = 'o200k_base' | 'cl100k_base';

/** The only function of `gpt-tokenizer` that is used. */
type CountTokens = (text: string, options: { readonly disallowedSpecial: Set<string> }) => number;

// The imports are literal, so that bundlers can resolve them and an application loads only the vocabulary it uses.
const vocabularies: Readonly<Record<ExactEncoding, () => Promise<{ readonly countTokens: CountTokens }>>> = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base') as Promise<{ countTokens: CountTokens }>,
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base') as Promise<{ countTokens: CountTokens }>,
};

/** Treats special tokens as text: `<|endoftext|>` inside a tool result is just thirteen characters. */
const ordinary = { disallowedSpecial: new Set<string>() };
/**
 * Runs of letters, signs or blanks that are cut, because byte-pair merging takes time quadratic in the length of an unbroken
 * run. Each cut adds at most one token. All other text is counted without cuts.
 */
const longRun = /[\p{L}\p{M}]{1024}|[^\s\p{L}\p{N}]{1024}|\s{1024}/gu;

/** Block size: half of a long run. Every long run contains at least one whole block, so only blocks are checked. */
const stride = 512;

/**
 * False if a text cannot contain a long run. Checks only a few positions, because searching with the pattern would take as
 * long as counting. Non-ASCII characters count as part of any run.
 */
function mayHoldLongRun(text: string): boolean {
  for (let sample = stride - 1; sample + stride < text.length; sample += stride) {
    let shared = 7;
    for (let at = sample; shared !== 0 && at < sample + stride; at++) shared &= runsOf(text.charCodeAt(at));
    if (shared !== 0) return true;
  }
  return false;
}

/** Kinds of runs a character may be part of, as bits: letters 1, signs 2, blanks 4. */
function runsOf(code: number): number {
  if (code > 127) return 7;
  if (code === 32 || (code >= 9 && code <= 13)) return 4;
  const letter = code | 32;
  if (letter >= 97 && letter <= 122) return 1;
  return code >= 48 && code <= 57 ? 0 : 2;
}

/**
 * Loads the exact tokenizer of an encoding: some 2 MB of vocabulary, once per process.
 * @returns a function that counts a text's tokens; it never throws
 * @throws PalimpsestError `DEPENDENCY_MISSING` without the package `gpt-tokenizer`, `OPTION_INVALID` for another encoding
 */
export async function loadExactTokenizer(encoding: ExactEncoding = 'o200k_base'): Promise<(text: string) => number> {
  if (!Object.hasOwn(vocabularies, encoding)) {
    const message = `There is no public vocabulary for the encoding '${String(encoding)}'. Use one of: ${Object.keys(vocabularies).join(', ')}.`;
    throw new PalimpsestError('OPTION_INVALID', message, { issues: [{ path: ['encoding'], message }] });
  }
  const { countTokens } = await loadPeer('gpt-tokenizer', 'Counting tokens exactly', vocabularies[encoding]);
  return (text) => {
    if (typeof text !== 'string') return 0;
    if (!mayHoldLongRun(text)) return countTokens(text, ordinary);
    let total = 0;
    let from = 0;
    for (const run of text.matchAll(longRun)) {
      const to = run.index + run[0].length;
      total += countTokens(text.slice(from, to), ordinary);
      from = to;
    }
    return total + countTokens(from === 0 ? text : text.slice(from), ordinary);
  };
}

/**
 * Creates a counter that counts text exactly, and prices envelopes, images and requests like `createTokenCounter`.
 * @throws as {@link loadExactTokenizer}
 */
export async function createExactTokenCounter(
  options: Omit<TokenCounterOptions, 'countText' | 'encoding'> & { readonly encoding?: ExactEncoding | undefined } = {},
): Promise<MessageTokenCounter> {
  return createTokenCounter({ ...options, countText: await loadExactTokenizer(options.encoding) });
}
