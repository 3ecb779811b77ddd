import { estimateTokens } from '@palimpsest/tokens';
import Tokenizer from 'ai-tokenizer';
import * as claude from 'ai-tokenizer/encoding/claude';
import * as aiO200k from 'ai-tokenizer/encoding/o200k_base';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { getEncoding } from 'js-tiktoken';
import { estimateTokenCount } from 'tokenx';

/** A tokenizer or token estimator. */
export interface TextCounter {
  readonly name: string;
  /** True if it counts exactly with the o200k_base vocabulary. */
  readonly exact: boolean;
  count(text: string): number;
}

const ordinary = { disallowedSpecial: new Set<string>() };
const aiTokenizer = new Tokenizer(aiO200k);
const aiClaude = new Tokenizer(claude);
const tiktoken = getEncoding('o200k_base');

/** Counts exact o200k tokens, with the library that the package also wraps. */
export const exactTokens = (text: string): number => countTokens(text, ordinary);
/** Counts tokens with ai-tokenizer's open approximation of Claude's vocabulary. */
export const aiClaudeTokens = (text: string): number => aiClaude.encode(text, [], []).length;

/** All compared counters, ours first. */
export const textCounters: readonly TextCounter[] = [
  { name: '@palimpsest/tokens', exact: false, count: (text) => estimateTokens(text) },
  { name: 'characters / 4', exact: false, count: (text) => Math.ceil(text.length / 4) },
  { name: 'tokenx', exact: false, count: (text) => estimateTokenCount(text) },
  { name: 'ai-tokenizer', exact: true, count: (text) => aiTokenizer.encode(text, [], []).length },
  { name: 'gpt-tokenizer', exact: true, count: exactTokens },
  { name: 'js-tiktoken', exact: true, count: (text) => tiktoken.encode(text, [], []).length },
];
