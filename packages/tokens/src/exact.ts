export type { ExactEncoding } from './exact-tokenizer.ts';
export { createExactTokenCounter, loadExactTokenizer } from './exact-tokenizer.ts';
