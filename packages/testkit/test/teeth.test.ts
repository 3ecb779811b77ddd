import { describe, expect, it } from 'vitest';
import { engineCases } from '../src/index.ts';
import { brokenEngines } from './broken-engines.ts';

const deep = Boolean(process.env.PALIMPSEST_DEEP);

describe('an engine with one thing wrong fails the case that is there for it, and no other', () => {
  for (const [what, { create, fails, masked }] of Object.entries(brokenEngines)) {
    it(what, async () => {
      const failed: string[] = [];
      for (const { name, run } of engineCases({ runs: deep ? 200 : 3, maxLength: 60 }))
        await run(create).catch(() => failed.push(name));
      expect(failed).toEqual(masked ? [] : fails);
    });
  }
});
