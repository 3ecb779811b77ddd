import { describe, expect, it } from 'vitest';
import { engineCases } from '../src/index.ts';
import { brokenEngines } from './broken-engines.ts';

const deep = Boolean(process.env.PALIMPSEST_DEEP);

describe('an engine with one bug fails exactly the cases for that bug', () => {
  for (const [what, { create, fails, masked }] of Object.entries(brokenEngines)) {
    it(what, async () => {
      const failed: string[] = [];
      for (const { name, run } of engineCases({ runs: deep ? 200 : 3, maxLength: 60 }))
        await run(create).catch(() => failed.push(name));
      expect(failed).toEqual(masked ? [] : fails);
    });
  }
});
