import { expect, it } from 'vitest';
import { EngineSlot } from '../../src/provider/engine-slot.ts';
import { ModelWindow } from '../../src/provider/model-window.ts';

it('what a small window cut or refused says nothing about a larger one of the same model', () => {
  const window = new ModelWindow({ id: 'qwen3', contextLength: 4_096 }, new EngineSlot());
  window.believeCut('qwen3', 4_000);
  window.believeRefusal('qwen3', { tokens: 3_000 }, 0, true);
  expect(window.tokens).toBeLessThan(3_000);
  window.switchTo({ id: 'qwen3', contextLength: 4_096 });
  expect(window.tokens).toBeLessThan(3_000);
  window.switchTo({ id: 'qwen3', contextLength: 32_768 });
  expect(window.tokens).toBe(32_768);
});
