import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';
import type { TrajectoryOptions } from '../trajectory-options.ts';

/**
 * Finds a tokenizer by name: `o200k_base`, `cl100k_base`, or the path of a module whose default export, or export
 * `countTokens`, is a function from a text to its tokens (or resolves to one).
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export async function loadTokenizer(name: string): Promise<Pick<TrajectoryOptions, 'encoding' | 'countTokens'>> {
  if (name === 'o200k_base' || name === 'cl100k_base') return { encoding: name };
  let module: Record<string, unknown>;
  try {
    module = await import(/* @vite-ignore */ moduleUrl(name));
  } catch (cause) {
    throw invalid(name, 'cannot be loaded', cause);
  }
  const found: unknown = await (module.countTokens ?? module.default);
  const countTokens =
    typeof found === 'object' && found !== null ? (found as Record<string, unknown>).countTokens : found;
  if (typeof countTokens !== 'function') throw invalid(name, 'exports no function countTokens(text)');
  const tokens: unknown = countTokens('A text.');
  if (typeof tokens !== 'number' || !(tokens >= 0))
    throw invalid(name, 'does not count: countTokens(text) gave no number');
  return { countTokens: countTokens as (text: string) => number };
}

/** The name of a tokenizer as other threads and machines with the same files understand it. */
export function absoluteTokenizer(name: string, cwd: string): string {
  return name.startsWith('.') && !isAbsolute(name) ? resolve(cwd, name) : name;
}

function moduleUrl(name: string): string {
  return isAbsolute(name) ? pathToFileURL(name).href : name.startsWith('.') ? pathToFileURL(resolve(name)).href : name;
}

function invalid(name: string, problem: string, cause?: unknown): PalimpsestError {
  const message = `The tokenizer "${name}" ${problem}. Give o200k_base, cl100k_base, or a module with a function countTokens(text).`;
  return new PalimpsestError('OPTION_INVALID', message, { issues: [{ path: ['tokenizer'], message }] }, { cause });
}
