import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PalimpsestError } from '@palimpsest/core';
import { invalidOption } from '@palimpsest/core/authoring';
import type { TrajectoryOptions } from '../options.ts';

/**
 * Loads a tokenizer by name: `o200k_base`, `cl100k_base`, or the path of a module. The module's export `countTokens` or
 * its default export is a function from a text to its number of tokens, or a promise of one.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export async function loadTokenizer(name: string): Promise<Pick<TrajectoryOptions, 'encoding' | 'countTokens'>> {
  if (name === 'o200k_base' || name === 'cl100k_base') return { encoding: name };
  let module: Record<string, unknown>;
  try {
    module = await import(/* @vite-ignore */ moduleUrl(name));
  } catch (cause) {
    throw invalid(name, 'which cannot be loaded', cause);
  }
  const found: unknown = await (module.countTokens ?? module.default);
  const countTokens =
    typeof found === 'object' && found !== null ? (found as Record<string, unknown>).countTokens : found;
  if (typeof countTokens !== 'function') throw invalid(name, 'which exports no function countTokens(text)');
  const tokens: unknown = countTokens('A text.');
  if (typeof tokens !== 'number' || !(tokens >= 0)) throw invalid(name, 'whose countTokens(text) returned no number');
  return { countTokens: countTokens as (text: string) => number };
}

/** Makes a relative path absolute, so that other threads and machines with the same files find the tokenizer. */
export function absoluteTokenizer(name: string, cwd: string): string {
  return name.startsWith('.') && !isAbsolute(name) ? resolve(cwd, name) : name;
}

function moduleUrl(name: string): string {
  return isAbsolute(name) ? pathToFileURL(name).href : name;
}

function invalid(name: string, problem: string, cause?: unknown): PalimpsestError {
  const expected = 'o200k_base, cl100k_base, or a module with a function countTokens(text)';
  return invalidOption('tokenizer', expected, `"${name}", ${problem}`, { cause });
}
