import type { ModelPrices } from './model-prices.ts';

type Row = readonly [input: number, output: number, cacheRead: number, cacheWrite?: number];

/**
 * List prices of models that are newer than the registry, in dollars per million tokens, for prompts without a surcharge
 * for their length. By normalized name.
 * Source: `@pydantic/genai-prices` 0.1.8, which collects them from the vendors' price pages.
 */
const rows: Readonly<Record<string, Row>> = {
  'claude-haiku-4-5': [1, 5, 0.1, 1.25],
  'claude-sonnet-4-5': [3, 15, 0.3, 3.75],
  'claude-sonnet-4-6': [3, 15, 0.3, 3.75],
  'claude-sonnet-5': [2, 10, 0.2, 2.5],
  'claude-opus-4-5': [5, 25, 0.5, 6.25],
  'claude-opus-4-6': [5, 25, 0.5, 6.25],
  'claude-opus-4-7': [5, 25, 0.5, 6.25],
  'claude-opus-4-8': [5, 25, 0.5, 6.25],
  'claude-opus-5': [5, 25, 0.5, 6.25],
  'claude-opus-5-5': [4, 20, 0.2, 5],
  'claude-fable-5': [10, 50, 1, 12.5],
  'claude-fable-5-1': [10, 50, 0.25, 12.5],
  'gpt-5-codex': [1.25, 10, 0.125],
  'gpt-5-1': [1.25, 10, 0.125],
  'gpt-5-1-codex': [1.25, 10, 0.125],
  'gpt-5-1-codex-max': [1.25, 10, 0.125],
  'gpt-5-1-codex-mini': [0.25, 2, 0.025],
  'gpt-5-2': [1.75, 14, 0.175],
  'gpt-5-2-codex': [1.75, 14, 0.175],
  'gpt-5-3': [1.75, 14, 0.175],
  'gpt-5-3-codex': [1.75, 14, 0.175],
  'gpt-5-4': [2.5, 15, 0.25],
  'gpt-5-4-mini': [0.75, 4.5, 0.075],
  'gpt-5-4-nano': [0.2, 1.25, 0.02],
  'gpt-5-5': [5, 30, 0.5],
  'gpt-5-6': [4, 20, 0.4, 5],
  'gpt-5-6-sol': [4, 20, 0.4, 5],
  'gpt-5-6-terra': [2, 12, 0.2, 2.5],
  'gpt-5-6-luna': [0.2, 1.2, 0.02, 0.25],
  'gpt-6-astra': [10, 50, 1, 12.5],
  'gpt-6-sol': [2, 10, 0.2, 2.5],
  'gpt-6-luna': [0.1, 0.5, 0.01, 0.125],
  'gemini-3-pro': [2, 12, 0.2],
  'gemini-3-1-pro': [2, 12, 0.2],
  'gemini-3-flash': [0.5, 3, 0.05],
  'gemini-3-5-flash': [1.5, 9, 0.15],
  'gemini-3-8-flash': [0.75, 3.75, 0.075],
  'grok-4-5': [2, 6, 0.3],
  'kimi-k2-6': [0.95, 4, 0.16],
  'kimi-k3': [3, 15, 0.3],
  'glm-5-2': [1.4, 4.4, 0.26],
  'glm-5-3': [1.4, 4.4, 0.26],
};

/** The list prices of a model that is newer than the registry. @param name normalized, as `readModelName` returns it */
export function newerPrices(name: string): ModelPrices | null {
  if (!Object.hasOwn(rows, name)) return null;
  const [input, output, cacheRead, cacheWrite = input] = rows[name]!;
  return { input, output, cacheRead, cacheWrite };
}
