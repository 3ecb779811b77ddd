import { readFileSync } from 'node:fs';
import { edit, read, runFailing } from '../../call.ts';
import { prepareWith, readBundle, type Scenario } from '../../scenario.ts';
import type { Session } from '../../session.ts';
import { plainTools } from '../../tools/tool-set.ts';
import type { Workspace } from '../../workspace.ts';
import { systemPrompt } from '../system-prompt.ts';
import { closing } from './closing.ts';
import { convertPlainModules } from './convert.ts';
import { convertEmitterAndQueue } from './cycle.ts';
import { opening } from './opening.ts';
import { afterTheCycle, beforeTheCycle } from './plain-modules.ts';
import { convertConfig, convertIndex, convertLog, convertPlugins } from './special-modules.ts';
import { convertBytes, convertIni, convertRetry, convertSemver } from './surprising-modules.ts';

const REQUEST = `Please migrate kitbag from CommonJS to ES modules, completely: sources, tests, the check script, README.

What I care about:
- The public names stay exactly what exports.txt lists; \`npm run check\` must pass at the end.
- One commit per module, and the tests pass at every commit. I want to be able to bisect this later.
- Always run a module's own tests before you commit it, and the whole suite every few modules.
- Never change what a function does. If something cannot stay as it is (I suspect log and plugins), choose the smallest change and write it down in the changelog.
- Built-in modules are imported with the node: prefix, everywhere.
- It has to work on every Node 20, not only the newest.

I am away for the afternoon, so do not ask, decide. I will read the commits tonight.`;

async function prepare(workspace: Workspace): Promise<void> {
  for (const [path, content] of readBundle(new URL('files.txt', import.meta.url))) await workspace.put(path, content);
  await prepareWith(workspace, 'git init -q -b main && git add -A && git commit -q -m "kitbag 3.8.1"');
}

async function play(session: Session): Promise<void> {
  session.system(
    systemPrompt('kitbag', 'kitbag is a published library of small tools without dependencies; other teams import it.'),
  );
  session.user(REQUEST);
  await opening(session, readFileSync(new URL('codemod.mjs.txt', import.meta.url), 'utf8'));
  await flipCommit(session);
  await convertIndex(session);
  await convertLog(session);
  await convertPlainModules(session, beforeTheCycle);
  await convertPlugins(session);
  await convertSemver(session);
  await convertConfig(session);
  await convertIni(session);
  await convertEmitterAndQueue(session);
  await convertRetry(session);
  await convertPlainModules(session, afterTheCycle);
  await convertBytes(session);
  await closing(session);
}

/** Converts the check script, and commits the switch to ES modules. */
async function flipCommit(session: Session): Promise<void> {
  const path = 'scripts/check-exports.js';
  await session.act(
    'All green. `Object.keys(require(...))` becomes a namespace import; a namespace of a CommonJS module also has `default`, which is not a public name.',
    edit(
      path,
      "'use strict';\n\nconst fs = require('fs');\nconst path = require('path');\n",
      "import fs from 'node:fs';\nimport * as kitbag from '../src/index.cjs';\n",
    ),
    edit(
      path,
      "fs.readFileSync(path.join(__dirname, '..', 'exports.txt'), 'utf8')",
      "fs.readFileSync(new URL('../exports.txt', import.meta.url), 'utf8')",
    ),
    edit(path, "Object.keys(require('../src/index.cjs')).sort()", 'Object.keys(kitbag).sort()'),
  );
  await session.act(null, runFailing(1, 'npm run --silent check'));
  await session.act(
    'Node cannot see the names of the lazy index at all, the getters are made in a loop. The check can only work once the index is converted, so flip, tests, check script and index are one commit: none of them passes without the others.',
    read('src/index.cjs'),
  );
}

/** A library is migrated in one run: one request and more than sixty rounds. It ends with a pending tool exchange. */
export const esmMigration: Scenario = {
  id: 'esm-migration',
  title: 'A library moves from CommonJS to ES modules, unattended',
  description:
    'One request, a long autonomous run: eighteen modules converted, a commit each; ends with unanswered results.',
  project: 'kitbag',
  startedAt: '2025-03-11T12:40:00Z',
  tools: plainTools,
  prepare,
  play,
};
