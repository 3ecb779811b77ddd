import { loadPeer } from '../load-peer.ts';
import { readModelName } from './model-name.ts';
import type { ModelPrices } from './model-prices.ts';
import { newerPrices } from './newer-prices.ts';

/** Context window and output limit of a model, in tokens. */
export interface ModelLimits {
  /** Most tokens of prompt and answer together. */
  readonly contextWindow: number;
  /** Most tokens of a prompt, if the provider limits it below the window. */
  readonly maxInput?: number | undefined;
  /** Most tokens of one answer, if known. */
  readonly maxOutput?: number | undefined;
}

/** Looks up models by name. */
export interface ModelRegistry {
  /** Returns the limits of a model, by any of its common names; `null` if the model is unknown. */
  limits(model: string): ModelLimits | null;
  /** Returns the list prices of a model; `null` if they are not known. */
  prices(model: string): ModelPrices | null;
}

interface Listed {
  readonly id: string;
  readonly provider?: string | undefined;
  readonly context?:
    | {
        readonly combinedMax?: number | undefined;
        readonly inputMax?: number | undefined;
        readonly outputMax?: number | undefined;
      }
    | undefined;
  readonly pricing?:
    | {
        readonly inputPerMTokens?: number | undefined;
        readonly outputPerMTokens?: number | undefined;
        readonly cacheReadPerMTokens?: number | undefined;
        readonly cacheWritePerMTokens?: number | undefined;
      }
    | undefined;
}

/** Vendors whose own listing takes precedence over a reseller's, whose limits may be lower. */
const makers = new Set([
  'anthropic',
  'openai',
  'google',
  'deepseek',
  'mistral',
  'xai',
  'alibaba',
  'moonshotai',
  'zhipuai',
  'meta',
  'llama',
  'cohere',
]);

/**
 * Limits of models newer than the registry, by name pattern. Used only for models that it does not list.
 * Sources: the vendors' model pages.
 */
const newer: readonly (readonly [RegExp, ModelLimits])[] = [
  [/^claude/, { contextWindow: 200_000, maxOutput: 64_000 }],
  [/^gpt-5/, { contextWindow: 400_000, maxOutput: 128_000 }],
  [/^gpt-4-1/, { contextWindow: 1_047_576, maxOutput: 32_768 }],
  [/^gpt-4o/, { contextWindow: 128_000, maxOutput: 16_384 }],
  [/^o[134]/, { contextWindow: 200_000, maxOutput: 100_000 }],
  [/^gemini-[23]/, { contextWindow: 1_048_576, maxOutput: 65_536 }],
];

/** OpenAI's gpt-5 models, except those for chat, reserve the longest answer: of 400,000 tokens, 272,000 are for prompts. */
const reservesAnswer: RegExp = /^gpt-5(?!.*chat)/;
const reservingWindow = 400_000;

function maxInputOf(name: string, { contextWindow, maxInput, maxOutput }: ModelLimits): number | undefined {
  if (maxInput !== undefined) return maxInput < contextWindow ? maxInput : undefined;
  const isReserved = reservesAnswer.test(name) && contextWindow >= reservingWindow;
  return isReserved && maxOutput !== undefined ? contextWindow - maxOutput : undefined;
}

/**
 * Loads the registry of the package `tokenlens`, and normalizes model names.
 * @param overrides limits by model name, which take precedence over the registry
 * @throws {PalimpsestError} `DEPENDENCY_MISSING` without the package `tokenlens`
 */
export async function loadModelRegistry(overrides: Readonly<Record<string, ModelLimits>> = {}): Promise<ModelRegistry> {
  const { listModels } = await loadPeer('tokenlens', 'Looking up context windows', () => import('tokenlens'));
  const known = new Map<string, ModelLimits & { rank: number; prices: ModelPrices | null }>();
  for (const model of listModels({}) as readonly Listed[]) {
    const contextWindow = model.context?.combinedMax ?? model.context?.inputMax;
    if (!contextWindow) continue;
    const [provider = '', ...rest] = model.id.split(':');
    const { name } = readModelName(rest.join(':') || provider);
    const rank = makers.has(provider) ? 1 : 0;
    const other = known.get(name);
    if (other && (other.rank > rank || (other.rank === rank && other.contextWindow >= contextWindow))) continue;
    known.set(name, {
      contextWindow,
      maxInput: model.context?.inputMax,
      maxOutput: model.context?.outputMax,
      rank,
      prices: pricesOf(model),
    });
  }
  const own = new Map(Object.entries(overrides).map(([name, limits]) => [readModelName(name).name, limits]));
  return {
    limits(model) {
      const { name } = readModelName(model);
      const found = own.get(name) ?? known.get(name) ?? newer.find(([pattern]) => pattern.test(name))?.[1];
      if (!found) return null;
      const { contextWindow, maxOutput } = found;
      return { contextWindow, maxInput: maxInputOf(name, found), maxOutput };
    },
    prices(model) {
      const { name } = readModelName(model);
      return known.get(name)?.prices ?? newerPrices(name);
    },
  };
}

function pricesOf({ pricing }: Listed): ModelPrices | null {
  const { inputPerMTokens: input, outputPerMTokens: output } = pricing ?? {};
  if (!input || !output) return null;
  const { cacheReadPerMTokens: cacheRead = input, cacheWritePerMTokens: cacheWrite = input } = pricing ?? {};
  return { input, output, cacheRead, cacheWrite };
}
