import { edit, plan, read, run, search, write } from '../../call.ts';
import { bundled } from '../../scenario.ts';
import { extract, type Session } from '../../session.ts';

/** The agent writes a script that finds duplicates in the lock file; then the user wants it as an option instead. */
export async function countDuplicates(session: Session, files: ReadonlyMap<string, string>): Promise<void> {
  session.user(
    'Next: which packages are in pnpm-lock.yaml in more than one version, and because of whom? Write that as scripts/lock-duplicates.mjs.',
  );
  await session.act(
    'How the lock file is built, before I parse it: its sections, and a stretch of each.',
    run('wc -l pnpm-lock.yaml && grep -n "^[a-z]" pnpm-lock.yaml'),
    read('pnpm-lock.yaml', 1, 240),
    read('pnpm-lock.yaml', 2200, 160),
    search('^  (commander|esbuild|acorn)@', { path: 'pnpm-lock.yaml' }),
  );
  await session.act(
    'Sections `packages` (versions) and `snapshots` (who needs what) are enough.',
    write('scripts/lock-duplicates.mjs', bundled(files, 'scripts/lock-duplicates.mjs')),
    plan('done: Manifests', 'done: How an edit travels', 'active: Duplicates in the lock file'),
  );
  const [found] = await session.act(null, run('node scripts/lock-duplicates.mjs'), run('git status --short'));
  await session.act(
    'A spot check of what the script says, against the file: commander and acorn, with the lines around them.',
    run('grep -nE "(commander|acorn)(: |@)[0-9]" pnpm-lock.yaml'),
    read('pnpm-lock.yaml', 2330, 120),
    read('pnpm-lock.yaml', 2400, 200),
  );
  const count = extract(found, /(\d+) packages in several versions/);
  session.say(
    `${count} packages are in the lock file in several versions; the output above names, for each version, who asks for it. scripts/lock-duplicates.mjs prints it again at any time. Nothing was changed in the lock file.`,
  );

  session.user(
    'On reflection I do not want two scripts. Fold this into check-manifests.mjs as an option `--lock`, and remove the other file. And I said under 300 words; that was fine, keep it.',
  );
  await session.act(
    'Reading both as they are now.',
    read('scripts/check-manifests.mjs'),
    read('scripts/lock-duplicates.mjs'),
  );
  await session.act(
    'The lock part becomes a function that runs instead of the manifest check.',
    edit(
      'scripts/check-manifests.mjs',
      '// Do the packages',
      `${lockFunction(bundled(files, 'scripts/lock-duplicates.mjs'))}\n\nif (process.argv.includes('--lock')) {\n  printDuplicates();\n  process.exit(0);\n}\n\n// Do the packages`,
    ),
    run(
      'rm scripts/lock-duplicates.mjs && node scripts/check-manifests.mjs && node scripts/check-manifests.mjs --lock | tail -n 1',
    ),
    run('git status --short'),
  );
  session.say(
    `One script now: \`node scripts/check-manifests.mjs\` checks the manifests, with \`--lock\` it lists the ${count} packages in several versions. Both were run. Still nothing committed.`,
  );
}

function lockFunction(script: string): string {
  const body = script.split('\n').slice(2, -1);
  const [comment, ...code] = body;
  return `${comment}\nfunction printDuplicates() {\n${code.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n}`;
}
