import { compressor } from '@palimpsest/compressor';
import { createEngine } from '@palimpsest/core/authoring';
import { validateOptions } from '@palimpsest/engine-kit';
import { redact } from '@palimpsest/redactor';
import { engineCases } from '@palimpsest/testkit';
import { describe, it } from 'vitest';
import { nativeEngine } from '../src/index.ts';

const native = nativeEngine(compressor);

describe('the engine "native" keeps the contract', () => {
  // It plans like the compressor, whose tests have many more transcripts.
  const runs = process.env.PALIMPSEST_DEEP ? 2_000 : 1;
  const cases = engineCases({ runs, maxLength: 40, redact: (text) => redact(text, { boundary: true }) });
  for (const { name, run } of cases)
    it(name, { timeout: 7_200_000 }, () =>
      run(async (host) => {
        const options = validateOptions(native.options!, { minimumThreshold: 0, protectLast: 3 }, 'this test');
        return createEngine(await native.create(options, host), host, { name: native.name });
      }),
    );
});
