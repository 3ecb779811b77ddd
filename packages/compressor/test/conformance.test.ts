import { redact } from '@palimpsest/redactor';
import { engineCases } from '@palimpsest/testkit';
import { describe, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

// By default, 12 generated transcripts per case besides the fixed examples, most of them short. In deep mode 6,000 per
// case, more than 100,000 in all.
const { PALIMPSEST_DEEP, PALIMPSEST_RUNS } = process.env;
const runs = PALIMPSEST_RUNS ? Number(PALIMPSEST_RUNS) : PALIMPSEST_DEEP ? 6_000 : 12;
const maxLength = PALIMPSEST_DEEP ? 400 : 120;

describe('the engine "compressor" keeps the contract', () => {
  const cases = engineCases({ runs, maxLength, redact: (text) => redact(text, { boundary: true }) });
  // Small minimums, so that generated transcripts are large enough to be compacted.
  for (const testCase of cases)
    it(
      testCase.name,
      () => testCase.run((host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0, protectLast: 3 })),
      7_200_000,
    );
});
