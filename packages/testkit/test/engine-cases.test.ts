import { createEngine } from '@palimpsest/core/authoring';
import { describe, it } from 'vitest';
import { engineCases, plannerCases } from '../src/index.ts';
import { dropOldest } from './drop-oldest.ts';

const runs = process.env.PALIMPSEST_DEEP ? 10_000 : 40;

describe('a minimal correct planner', () => {
  for (const testCase of engineCases({ runs }))
    it(testCase.name, () => testCase.run((host) => createEngine(dropOldest(host), host, { name: 'drop-oldest' })));
  for (const testCase of plannerCases({ runs })) it(testCase.name, () => testCase.run(dropOldest));
});
