import { createEngine } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { engineCases } from '@palimpsest/testkit';
import { describe, it } from 'vitest';
import { lastTurnPlanner } from './last-turn-engine.ts';

describe('a small engine built with the kit keeps the contract', () => {
  for (const testCase of engineCases({ runs: 5, maxLength: 60, redact: (text) => redact(text, { boundary: true }) }))
    it(testCase.name, () => testCase.run((host) => createEngine(lastTurnPlanner(host), host, { name: 'last-turn' })));
});
