import { defineEngine, type EnginePlanner } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { builtInPlugins, createEngineHost, createRegistry } from '../src/index.ts';
import { conversation } from './conversation.ts';

describe('the built-in engines', () => {
  it('are known to every registry, and work without configuration', async () => {
    const registry = createRegistry();
    expect(registry.list()).toEqual([
      { name: 'compressor', source: 'built in', builtIn: true },
      { name: 'prune-compact', source: 'built in', builtIn: true },
    ]);
    for (const name of ['compressor', 'prune-compact']) {
      const engine = await registry.create({ engine: name }, createEngineHost());
      await engine.updateModel({ id: 'some', contextLength: 8_000 });
      const messages = conversation(60);
      const result = await engine.compress(messages, { force: true });
      expect(result.report.engine).toBe(name);
      expect(result.outcome).toBe('compacted');
      expect(result.report.tokensAfter).toBeLessThan(result.report.tokensBefore);
    }
  });

  it('suggest the nearest name for a misspelled option', async () => {
    const engines = { compressor: { treshold: 0.5 } };
    await expect(createRegistry().create({ engines } as never, createEngineHost())).rejects.toThrow(
      'context.engines.compressor.treshold: unknown option. Did you mean "threshold"?',
    );
  });

  it('replace a failing foreign engine by default', async () => {
    const planner: EnginePlanner<null> = {
      initial: null,
      budget: () => ({ contextLength: 0, usableTokens: 0, thresholdTokens: 0, tailTokens: 0, summaryTokens: 0 }),
      plan: () => Promise.reject(new Error('no')),
    };
    const stranger = defineEngine({ name: 'stranger', apiVersion: 1, create: () => planner });
    const engine = await createRegistry({ plugins: [stranger] }).create({ engine: 'stranger' }, createEngineHost());
    expect((await engine.compress(conversation(60))).report.engine).toBe('compressor');
  });

  it('have the current contract version', () => {
    expect(builtInPlugins.map(({ apiVersion }) => apiVersion)).toEqual([1, 1]);
  });
});

describe('a host', () => {
  it('counts and masks with the built-in parts, which can be replaced', () => {
    const host = createEngineHost({ dialect: 'anthropic' });
    expect(host.tokens.countText('a few words of text')).toBeGreaterThan(2);
    expect(host.redact(`token=ghp_${'aB3dE5fG7h'.repeat(4)}`)).not.toContain('aB3dE5fG7haB3dE5fG7h');
    expect(host.dialect).toBe('anthropic');
    const own = createEngineHost({ tokens: { countText: () => 1, countMessage: () => 2 }, redact: () => 'x' });
    expect([own.tokens.countText('long text'), own.redact('a')]).toEqual([1, 'x']);
  });
});
