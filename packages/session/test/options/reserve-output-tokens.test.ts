import type { EngineHost } from '@palimpsest/core';
import { expect, it } from 'vitest';
import { createSession } from '../../src/create-session.ts';
import { compressorOn } from '../make-session.ts';

it.each(['x', Number.NaN, -1, null])(
  'a model with a reserve of %s is refused, when it is made and when it is switched',
  async (reserve) => {
    const model = { id: 'm', contextLength: 20_000, reserveOutputTokens: reserve as number };
    const engine = (host: EngineHost) => compressorOn(host, undefined);
    expect(() => createSession({ engine, model })).toThrow('model.reserveOutputTokens');
    const session = createSession({ engine, model: { id: 'm', contextLength: 20_000 } });
    expect(() => session.updateModel(model)).toThrow('reserveOutputTokens');
    expect(session.status().contextLength).toBe(20_000);
  },
);
