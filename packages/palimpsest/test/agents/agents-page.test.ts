import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentsPage, agentsPageFile } from '../real-agents/agents-page.ts';
import { readResults } from '../real-agents/results.ts';

it('docs/agents.md has the results of the last runs of npm run test:agents', () => {
  expect(readFileSync(agentsPageFile, 'utf8')).toBe(agentsPage(readResults()));
});
