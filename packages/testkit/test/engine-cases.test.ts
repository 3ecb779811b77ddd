import { createEngine } from '@palimpsest/core/authoring';
import { describe, it } from 'vitest';
import { engineCases } from '../src/index.ts';
import { dropOldest, dropOldestOfSource } from './drop-oldest.ts';

const runs = process.env.PALIMPSEST_DEEP ? 10_000 : 40;

describe('a minimal correct planner', () => {
  for (const testCase of engineCases({ runs }))
    it(testCase.name, () => testCase.run((host) => createEngine(dropOldest(host), host, { name: 'drop-oldest' })));
});

describe('a minimal correct planner that plans over the source', () => {
  for (const testCase of engineCases({ runs }))
    it(testCase.name, () =>
      testCase.run((host) => createEngine(dropOldestOfSource(host), host, { name: 'drop-oldest' })),
    );
});
