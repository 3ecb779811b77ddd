import { createEngine, type EngineHost } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { engineCases } from '@palimpsest/testkit';
import { describe, it } from 'vitest';
import pruneCompact from '../src/index.ts';

// Small floors, so that generated transcripts and windows are large enough to be compressed.
const options = { protectTokens: 200, minimumTokens: 50 };

function create(host: EngineHost) {
  const checked = pruneCompact.options!['~standard'].validate(options);
  if (checked instanceof Promise || checked.issues) throw new Error('the options of this test are valid');
  return createEngine(pruneCompact.create(checked.value, host), host, { name: pruneCompact.name });
}

describe('the engine "prune-compact" keeps the contract', () => {
  const runs = process.env.PALIMPSEST_DEEP ? 10_000 : 60;
  for (const testCase of engineCases({ runs, redact: (text) => redact(text, { boundary: true }) }))
    it(testCase.name, () => testCase.run(create), 1_800_000);
});
