import { readBundle, type Scenario } from '../../scenario.ts';
import { plainTools } from '../../tools/tool-set.ts';
import { systemPrompt } from '../system-prompt.ts';
import { countDuplicates } from './duplicates.ts';
import { explainEdits } from './edits.ts';
import { checkManifests } from './manifests.ts';
import { cloneRepository } from './repository.ts';

/** A newcomer's first morning with this repository. */
export const palimpsestMorning: Scenario = {
  id: 'palimpsest-first-morning',
  title: 'A first morning in this repository: manifests, edits, lock file',
  description:
    'A clone of Palimpsest: many files are read, some twice; a script is written, mended and proved; the plan changes.',
  project: 'palimpsest',
  startedAt: '2026-11-21T10:00:00Z',
  tools: plainTools,
  prepare: cloneRepository,
  async play(session) {
    const files = readBundle(new URL('files.txt', import.meta.url));
    session.system(systemPrompt('palimpsest', 'A TypeScript monorepo; its dependencies are not installed here.'));
    await checkManifests(session, files);
    await explainEdits(session);
    await countDuplicates(session, files);
  },
};
