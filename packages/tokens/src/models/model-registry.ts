import { readModelName } from './model-name.ts';

/** List prices of a model, in dollars per million tokens. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Prompt tokens read from the cache. */
  readonly cacheRead: number;
  /** Prompt tokens written to the cache. */
  readonly cacheWrite: number;
}

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

/** What is known about the listed models, by normalized name. */
interface Tables {
  readonly limits: ReadonlyMap<string, ModelLimits>;
  readonly prices: ReadonlyMap<string, ModelPrices>;
}

/**
 * Loads the two tables. A row of `models.json` has the window, the most tokens of a prompt and of an answer (0 if not stated),
 * and the list prices if they are known. `newer-prices.json` has the list prices of models that are newer, for prompts without
 * a surcharge for their length. Prices are those of input, output, and input read from and written to the cache.
 */
async function loadTables(): Promise<Tables> {
  const [listed, newer] = await Promise.all([
    import('./models.json', { with: { type: 'json' } }),
    import('./newer-prices.json', { with: { type: 'json' } }),
  ]);
  const models = Object.entries(listed.default.models);
  const prices = models.map(([name, [, , , ...row]]) => [name, row] as const);
  return {
    limits: new Map(
      models.map(([name, [contextWindow = 0, maxInput, maxOutput]]) => [
        name,
        { contextWindow, maxInput: maxInput || undefined, maxOutput: maxOutput || undefined },
      ]),
    ),
    // What tokenlens lists takes precedence.
    prices: new Map(
      [...Object.entries(newer.default.models), ...prices.filter(([, row]) => row.length > 0)].map(([name, row]) => {
        const [input = 0, output = 0, cacheRead = input, cacheWrite = input] = row;
        return [name, { input, output, cacheRead, cacheWrite }];
      }),
    ),
  };
}

/**
 * Loads the models that we know: those that the package tokenlens lists, and newer ones. Normalizes model names.
 * @param overrides limits by model name, which take precedence
 */
export async function loadModelRegistry(overrides: Readonly<Record<string, ModelLimits>> = {}): Promise<ModelRegistry> {
  const known = await loadTables();
  const own = new Map(Object.entries(overrides).map(([name, limits]) => [readModelName(name).name, limits]));
  return {
    limits(model) {
      const { name } = readModelName(model);
      const found = own.get(name) ?? known.limits.get(name) ?? newer.find(([pattern]) => pattern.test(name))?.[1];
      if (!found) return null;
      const { contextWindow, maxOutput } = found;
      return { contextWindow, maxInput: maxInputOf(name, found), maxOutput };
    },
    prices(model) {
      return known.prices.get(readModelName(model).name) ?? null;
    },
  };
}
