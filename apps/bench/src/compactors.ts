import {
  type Compact,
  type Compactor,
  clearOldestResults,
  engineCompactor,
  headAndTail,
  newestTokens,
} from '@palimpsest/eval';
import { engines } from './engines/open-engine.ts';
import { writeExtract } from './extract.ts';

/** Our engines. */
export const ownCompactors: Readonly<Record<string, Compactor>> = {
  compressor: engineCompactor((host) => engines.compressor(host, 200_000)),
  'prune-compact': engineCompactor((host) => engines['prune-compact'](host, 200_000)),
};

/** Simple methods to compare with. */
export const baselines: Readonly<Record<string, Compact>> = {
  'newest tokens': newestTokens,
  'head + tail': headAndTail,
  'clearing the oldest results': clearOldestResults,
};

export const extractiveWriter = 'the extractive writer';
/** Replaces all messages by what the extractive writer says of them. A text over its budget is added to `broken`. */
export const extractInto =
  (broken: string[]): Compact =>
  async (past, budgetTokens, counter) => {
    const content = await writeExtract(past, budgetTokens);
    const tokens = counter.countText(content);
    if (tokens > budgetTokens) broken.push(`a record has ${tokens} tokens, over its budget of ${budgetTokens}`);
    return [{ role: 'user', content }];
  };
