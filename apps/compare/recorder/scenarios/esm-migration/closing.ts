import { edit, plan, read, run, runFailing, runSlow, search, write } from '../../call.ts';
import { extract, type Session } from '../../session.ts';

const CHANGELOG = `# Changelog

## 4.0.0

kitbag is an ES module. \`import { slug } from 'kitbag'\` works on every Node 20; \`require('kitbag')\` works from Node
20.19 on and fails before with \`ERR_REQUIRE_ESM\`.

- The index exports statically. It no longer loads a module only when one of its names is first used.
- \`log\`: the level is set as \`settings.level\` (import \`settings\` from \`kitbag/src/log.js\`); it used to be a property of
  the module object, which an ES module does not have.
- \`loadPlugins\` stays synchronous and reloads edited plugins. On Node before 20.19 a plugin must be CommonJS.
- \`Emitter.emitInOrder\` imports the queue when it is first called; listeners are told one microtask later than before.
- \`slug\` and \`bytes\` have named exports only; the slug module itself was callable, which nobody used.
`;

/** The work after the last module. It ends before the agent has seen the last results. */
export async function closing(session: Session): Promise<void> {
  const [left, , all] = await session.act(
    'Every module is converted. A sweep for what may be left, and the suite with require(esm) off, as on an old Node 20.',
    run(
      'ls src/*.cjs 2>/dev/null; grep -rnE "\\brequire\\(|module\\.exports|use strict|__dirname" src test scripts README.md || true',
    ),
    search("from '(fs|os|path|util|timers|module|url)", {}),
    run('NODE_OPTIONS=--no-experimental-require-module node --test test/'),
  );
  extract(left, /(createRequire|require\('kitbag'\))/);
  await session.act(
    `${extract(all, /# pass (\d+)/)} pass without require(esm) too. What is left of require is in plugins, on purpose, and in the README. Manifest, README and changelog; reading them again first.`,
    read('README.md'),
    read('package.json'),
    plan(
      'done: Baseline: whole suite and export check',
      'done: Find everything that is not plain require / module.exports',
      'done: Rename sources to .cjs, flip package to "type": "module"',
      'done: Convert tests',
      'done: Convert modules from the top of the dependency graph down, one commit each',
      'active: README, manifest, changelog, export check',
    ),
  );
  await session.act(
    null,
    edit(
      'README.md',
      "const { slug, parseDuration, formatBytes } = require('kitbag');",
      "import { slug, parseDuration, formatBytes } from 'kitbag';",
    ),
    edit('package.json', '"version": "3.8.1"', '"version": "4.0.0"'),
    edit(
      'package.json',
      '  "main": "src/index.js",\n',
      '  "main": "src/index.js",\n  "exports": { ".": "./src/index.js", "./src/*": "./src/*" },\n',
    ),
    write('CHANGELOG.md', CHANGELOG),
  );
  await session.act(
    'A consumer outside the project, by import and by require, with and without require(esm).',
    run(
      'rm -rf /tmp/consumer && mkdir -p /tmp/consumer/node_modules && ln -s "$PWD" /tmp/consumer/node_modules/kitbag && cd /tmp/consumer && printf \'import { slug, formatBytes } from "kitbag";\\nimport { settings } from "kitbag/src/log.js";\\nconsole.log(slug("It works"), formatBytes(1536), settings.level);\\n\' > a.mjs && printf \'console.log(Object.keys(require("kitbag")).length);\\n\' > b.cjs && node a.mjs && node b.cjs',
    ),
    runFailing(1, 'cd /tmp/consumer && node --no-experimental-require-module b.cjs'),
  );
  await session.act(
    'Exactly what the changelog promises, the failure included. The version in package.json went up, and a plugin test compares against it; whole suite before the commit.',
    run('node --test test/'),
    run('npm run --silent check'),
  );
  await session.act(
    null,
    run('git add -A && git commit -q -m "Release notes, manifest and README for 4.0.0" && git log --oneline'),
  );
  await session.act(
    'You want to bisect this later, so every commit has to pass by itself. I replay them all in a second working tree instead of assuming it, and look at the sum of the change while that runs.',
    runSlow(
      600_000,
      'rm -rf /tmp/replay && git worktree add -q --detach /tmp/replay && cd /tmp/replay && for commit in $(git rev-list --reverse main); do git checkout -q $commit && result=$(node --test test/ 2>&1 | grep -E "^# (pass|fail)" | tr "\\n" " ") && echo "$(git log -1 --format="%h %s" | cut -c1-70) | $result"; done',
    ),
    run('git diff --stat -M HEAD~20 2>/dev/null || git diff --stat -M $(git rev-list --max-parents=0 HEAD)'),
    run('git status --short && npm run --silent check'),
  );
}
