import { prepareWith, readBundle, type Scenario } from '../../scenario.ts';
import { plainTools } from '../../tools/tool-set.ts';
import { systemPrompt } from '../system-prompt.ts';
import { build } from './build.ts';
import { changeOfMind } from './change-of-mind.ts';
import { standingRules } from './standing-rules.ts';

/** A URL router is written from scratch, over several requests. Its design is changed and changed back. */
export const router: Scenario = {
  id: 'router-library',
  title: 'A URL router, written from nothing over five requests',
  description:
    'A small library: failing tests are mended, standing rules add up, a redesign is wanted and then taken back.',
  project: 'waymark',
  startedAt: '2025-01-20T09:00:00Z',
  tools: plainTools,
  async prepare(workspace) {
    await prepareWith(workspace, 'git init -q -b main && git commit -q --allow-empty -m "Begin"');
  },
  async play(session) {
    const files = readBundle(new URL('files.txt', import.meta.url));
    session.system(systemPrompt('waymark', 'The folder is empty but for .git.'));
    await build(session, files);
    await standingRules(session);
    await changeOfMind(session, files);
  },
};
