import { describe, expect, it, vi } from 'vitest';
import { engineCases } from '../src/index.ts';
import { brokenEngines } from './broken-engines.ts';

// Disables core's contract check and masking: the cases must find what these would have found.
vi.mock('../../core/src/plans/contract-check.ts', () => ({ checkContract: () => [] }));
vi.mock('../../core/src/plans/find-changed-words.ts', () => ({ findChangedWords: () => null }));
vi.mock('../../core/src/plans/mask-edits.ts', () => ({ maskEdits: (edits: unknown) => edits }));
vi.mock('../../core/src/json/mask-json.ts', () => ({
  maskJson: (value: unknown) => value,
  maskJsonText: (text: string) => text,
}));

describe("with core's contract check disabled", () => {
  for (const [what, { create, fails, masked }] of Object.entries(brokenEngines)) {
    if (!masked && !fails.some((name) => /^invariant [2-5]:/.test(name))) continue;
    it(`an engine that ${what} still fails its case`, async () => {
      const failures: string[] = [];
      for (const testCase of engineCases({ runs: 8, maxLength: 60 }))
        if (fails.includes(testCase.name))
          await testCase.run(create).catch((error: Error) => failures.push(error.message));
      expect(failures).toHaveLength(fails.length);
      // Not because core rejected the plan: because of what the output is.
      for (const message of failures) expect(message).not.toContain('core rejected');
    });
  }
});
