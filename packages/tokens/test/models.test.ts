import { describe, expect, it } from 'vitest';
import { createTokenCounter } from '../src/index.ts';
import { createModelCounter, loadModelRegistry, modelProfile } from '../src/models.ts';

describe('modelProfile', () => {
  for (const [names, encoding, images] of [
    [
      [
        'claude-sonnet-4-5',
        'anthropic/claude-sonnet-4.6',
        'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
        'claude-haiku-4-5@20251001',
      ],
      'claude',
      { profile: 'anthropic', resolution: 'standard' },
    ],
    [
      ['claude-opus-4-7', 'claude-opus-4-8', 'anthropic/claude-opus-5'],
      'claude-4.7',
      { profile: 'anthropic', resolution: 'high' },
    ],
    [
      [
        'claude-3-5-haiku-20241022',
        'claude-sonnet-4-20250514',
        'us.anthropic.claude-3-7-sonnet-20250219-v1%3A0',
        'claude-sonnet-4-0',
      ],
      'claude',
      { profile: 'anthropic-legacy' },
    ],
    [
      ['gpt-4o-2024-11-20', 'openai/gpt-4o', 'gpt-4.1', 'chatgpt-4o-latest'],
      'o200k_base',
      { profile: 'openai-tile', base: 85, tile: 170 },
    ],
    [['gpt-4o-mini'], 'o200k_base', { profile: 'openai-tile', base: 2833, tile: 5667 }],
    [['gpt-5', 'gpt-5.2', 'o1'], 'o200k_base', { profile: 'openai-tile', base: 70, tile: 140 }],
    [['gpt-5-mini', 'gpt-5.4-mini'], 'o200k_base', { profile: 'openai-patch', multiplier: 1.2 }],
    [['gpt-4.1-mini-2025-04-14'], 'o200k_base', { profile: 'openai-patch', multiplier: 1.62 }],
    [['gpt-4.1-nano'], 'o200k_base', { profile: 'openai-patch', multiplier: 2.46 }],
    [['o4-mini'], 'o200k_base', { profile: 'openai-patch', multiplier: 1.72 }],
    [
      ['gpt-4-turbo-2024-04-09', 'gpt-4', 'gpt-3.5-turbo', 'gpt-4-0613'],
      'cl100k_base',
      { profile: 'openai-tile', base: 85, tile: 170 },
    ],
    [['gemini-2.0-flash'], 'o200k_base', { profile: 'gemini-2' }],
    [['google/gemini-2.5-flash', 'models/gemini-2.5-pro'], 'o200k_base', { profile: 'flat', tokens: 258 }],
    [['gemini-3-flash-preview', 'gemini-3-pro-preview'], 'o200k_base', { profile: 'gemini-3' }],
    [['deepseek-chat', 'qwen.qwen3-32b-v1:0', '', 'my-own-model'], 'o200k_base', { profile: 'flat' }],
  ] as const) {
    it(`of ${names.join(', ')} is ${encoding} and ${images.profile}`, () => {
      for (const name of names)
        expect([name, modelProfile(name).encoding, modelProfile(name).images]).toEqual([name, encoding, images]);
    });
  }
});

it('counts a request as the profile of its model', () => {
  const request = { messages: [{ role: 'user' as const, content: 'Which tests fail?' }], tools: [{ name: 'bash' }] };
  for (const model of ['claude-opus-4-7', 'us.anthropic.claude-sonnet-4-20250514-v1:0', 'gpt-4', 'my-own-model']) {
    const { encoding, envelope } = modelProfile(model);
    const expected = createTokenCounter({ encoding, envelope }).countRequest(request);
    expect(createModelCounter(model).countRequest(request)).toBe(expected);
  }
});

describe('the model registry', () => {
  it('finds context windows by every common name, and returns null for unknown models', async () => {
    const registry = await loadModelRegistry();
    expect(registry.limits('claude-sonnet-4-20250514')?.contextWindow).toBe(200_000);
    expect(registry.limits('anthropic/claude-sonnet-4.6')?.contextWindow).toBe(200_000);
    expect(registry.limits('us.anthropic.claude-sonnet-4-5-20250929-v1:0')?.contextWindow).toBe(200_000);
    expect(registry.limits('gpt-4o-2024-11-20')?.contextWindow).toBe(128_000);
    expect(registry.limits('deepseek-chat')?.contextWindow).toBe(128_000);
    expect(registry.limits('gemini-2.5-pro')?.contextWindow).toBe(1_048_576);
    expect(registry.limits('a model nobody has heard of')).toBeNull();
  });

  it('knows how much of a window prompts may use', async () => {
    const registry = await loadModelRegistry();
    for (const name of ['gpt-5', 'gpt-5-mini', 'openai/gpt-5-2025-08-07', 'gpt-5.3-codex'])
      expect(registry.limits(name)).toEqual({ contextWindow: 400_000, maxInput: 272_000, maxOutput: 128_000 });
    for (const name of ['gpt-5-chat-latest', 'gpt-4.1', 'o3', 'claude-sonnet-4-5', 'gemini-2.5-pro'])
      expect(registry.limits(name)?.maxInput).toBeUndefined();
  });

  it('prefers overrides', async () => {
    const registry = await loadModelRegistry({ 'claude-sonnet-4.5': { contextWindow: 1_000_000 } });
    expect(registry.limits('claude-sonnet-4-5-20250929')?.contextWindow).toBe(1_000_000);
  });
});

it('knows the list prices of models in the registry and of newer ones, by any name', async () => {
  const { prices } = await loadModelRegistry();
  expect(prices('gpt-5')).toMatchObject({ input: 1.25, output: 10 });
  for (const name of ['claude-opus-5-5', 'anthropic/claude-opus-5.5', 'claude-opus-5-5-20260901'])
    expect(prices(name)).toEqual({ input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 });
  for (const name of [
    'claude-sonnet-5',
    'claude-haiku-4-5-20251001',
    'gpt-5.2-codex',
    'gpt-6-sol',
    'gemini-3.1-pro-preview',
  ])
    expect(prices(name)).not.toBeNull();
  expect(prices('gpt-6-sol')).toMatchObject({ cacheRead: 0.2, cacheWrite: 2.5 });
  for (const name of ['my-own-model', 'constructor']) expect(prices(name)).toBeNull();
});
