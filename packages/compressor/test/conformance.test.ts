import { createEngine, type EngineHost } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { engineCases } from '@palimpsest/testkit';
import { describe, it } from 'vitest';
import compressor from '../src/index.ts';

// Small floors, so that generated transcripts and windows are large enough to be compressed.
const options = { minimumThreshold: 0, protectLast: 3 };

function create(host: EngineHost) {
  const checked = compressor.options!['~standard'].validate(options);
  if (checked instanceof Promise || checked.issues) throw new Error('the options of this test are valid');
  return createEngine(compressor.create(checked.value, host), host, { name: compressor.name });
}

describe('the engine "compressor" keeps the contract', () => {
  const runs = process.env.PALIMPSEST_DEEP ? 10_000 : 60;
  for (const testCase of engineCases({ runs, redact: (text) => redact(text, { boundary: true }) }))
    it(testCase.name, () => testCase.run(create), 1_800_000);
});
