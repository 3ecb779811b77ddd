import { compressor } from '@palimpsest/compressor';
import { createEngine, validateOptions } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { engineCases } from '@palimpsest/testkit';
import { describe, it } from 'vitest';
import { nativeEngine } from '../src/index.ts';

const native = nativeEngine(compressor);

describe('the engine "native" keeps the contract', () => {
  const deep = process.env.PALIMPSEST_DEEP !== undefined;
  const cases = engineCases({
    runs: deep ? 2_000 : 1,
    maxLength: 40,
    redact: (text) => redact(text, { boundary: true }),
  });
  // It plans like the compressor, which passes all cases in every run. What differs is the summarizer.
  const differs = /summarizer|model|abort|snapshot|makes room/;
  for (const { name, run } of cases.filter((one) => deep || differs.test(one.name)))
    it(name, { timeout: 7_200_000 }, () =>
      run(async (host) => {
        const options = validateOptions(
          native.options!,
          { threshold: 0.5, minimumThreshold: 0, protectLast: 3 },
          'this test',
        );
        return createEngine(await native.create(options, host), host, { name: native.name });
      }),
    );
});
