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

/** The listed models, by normalized name. */
type Table = ReadonlyMap<string, ModelLimits & { readonly prices: ModelPrices | null }>;

async function loadTable(): Promise<Table> {
  const { modelTable } = await import('./model-table.ts');
  const rows = modelTable.trim().split('\n');
  return new Map(
    rows.map((row) => {
      const [name, ...figures] = row.split(' ') as [string, ...string[]];
      const [contextWindow = 0, maxInput = 0, maxOutput = 0, input, output = 0, cacheRead = 0, cacheWrite = 0] =
        figures.map(Number);
      const prices = input === undefined ? null : { input, output, cacheRead, cacheWrite };
      return [name, { contextWindow, maxInput: maxInput || undefined, maxOutput: maxOutput || undefined, prices }];
    }),
  );
}

/**
 * Loads the models that we know: those that the package tokenlens lists, and newer ones. Normalizes model names.
 * @param overrides limits by model name, which take precedence
 */
export async function loadModelRegistry(overrides: Readonly<Record<string, ModelLimits>> = {}): Promise<ModelRegistry> {
  const known = await loadTable();
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
