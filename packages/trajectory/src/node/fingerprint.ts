import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ResolvedSettings } from '../trajectory-options.ts';

/** Everything besides the input that determines the output of a shard. */
export interface Recipe {
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
  /** Id of the summarizer. */
  readonly summarizer: string;
}

/** Increase it when a new version of this package may compress the same row differently. */
const recipeVersion = 1;
/** Bytes read at the beginning and at the end of the input. */
const sampleBytes = 64 * 1024;

/** A digest of the recipe and of the input's size, beginning and end. Detects changed options or inputs. */
export async function shardFingerprint(input: string, { settings, tokenizer, summarizer }: Recipe): Promise<string> {
  const { targetTokens, summaryTokens, protectLast, turnTokens, notice } = settings;
  const recipe = [recipeVersion, targetTokens, summaryTokens, protectLast, turnTokens, notice, tokenizer, summarizer];
  const hash = createHash('sha256').update(JSON.stringify(recipe));
  const file = await open(input, 'r');
  try {
    const { size } = await file.stat();
    hash.update(String(size));
    const sample = new Uint8Array(sampleBytes);
    for (const position of [0, Math.max(0, size - sampleBytes)]) {
      const { bytesRead } = await file.read(sample, 0, sampleBytes, position);
      hash.update(sample.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex').slice(0, 32);
}
