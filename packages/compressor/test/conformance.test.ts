import { redact } from '@palimpsest/redactor';
import { engineCases } from '@palimpsest/testkit';
import { describe, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

// By default a dozen transcripts a case beside the fixed examples, most of them short; in depth 6,000 for each of the
// seventeen, which makes more than 100,000.
const { PALIMPSEST_DEEP, PALIMPSEST_RUNS } = process.env;
const runs = PALIMPSEST_RUNS ? Number(PALIMPSEST_RUNS) : PALIMPSEST_DEEP ? 6_000 : 12;
const maxLength = PALIMPSEST_DEEP ? 400 : 120;

describe('the engine "compressor" keeps the contract', () => {
  const cases = engineCases({ runs, maxLength, redact: (text) => redact(text, { boundary: true }) });
  // Small floors, so that generated transcripts and windows are large enough to be compressed.
  for (const testCase of cases)
    it(
      testCase.name,
      () => testCase.run((host) => makeEngine(host, { minimumThreshold: 0, protectLast: 3 })),
      7_200_000,
    );
});
