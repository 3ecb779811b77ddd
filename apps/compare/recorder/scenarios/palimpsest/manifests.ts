import { edit, list, read, readMissing, run, runFailing, search, write } from '../../call.ts';
import { bundled } from '../../scenario.ts';
import { extract, type Session } from '../../session.ts';

/** The agent writes a script that compares the manifests of the packages. */
export async function checkManifests(session: Session, files: ReadonlyMap<string, string>): Promise<void> {
  session.user(
    'I am new in this repository and would like to understand how its packages are published. Please look around, then write scripts/check-manifests.mjs: do all packages agree in type, engines, side effects, and do `exports` and `publishConfig.exports` say the same? Node only. Rules for the whole morning: never touch pnpm-lock.yaml, never change a package.json, commit nothing.',
  );
  await session.act(
    'The layout and the papers first.',
    list(),
    read('ARCHITECTURE.md'),
    readMissing('README.md'),
    read('package.json'),
    read('pnpm-workspace.yaml'),
  );
  await session.act(
    'There is no README yet; ARCHITECTURE.md does for now. How packages are built, and the manifests of one on each floor.',
    read('CONTRIBUTING.md'),
    read('tsup.base.ts'),
    read('.dependency-cruiser.cjs'),
    read('scripts/check-packages.mjs'),
    read('packages/core/package.json'),
    read('packages/tokens/package.json'),
    read('packages/summarizers/package.json'),
  );
  await session.act(
    'Each entry of `exports` is repeated in `publishConfig.exports` without the `palimpsest-source` condition, `./package.json` is a plain string. How regular is that?',
    search('palimpsest-source', { include: 'package.json' }),
    search('"(type|sideEffects|node)":', { path: 'packages', include: 'package.json' }),
    search('palimpsest-source', { include: '*.ts' }),
  );
  await session.act(null, write('scripts/check-manifests.mjs', bundled(files, 'scripts/check-manifests.mjs')));
  await session.act(null, runFailing(1, 'node scripts/check-manifests.mjs'));
  await session.act(
    'I saw that `./package.json` is a string and still wrote the loop as if it were not. An entry without conditions is compared as it is.',
    edit(
      'scripts/check-manifests.mjs',
      "    const source = conditions['palimpsest-source'];\n    if (!existsSync",
      "    const plain = typeof conditions === 'string';\n    const source = plain ? conditions : conditions['palimpsest-source'];\n    if (!existsSync",
    ),
    edit(
      'scripts/check-manifests.mjs',
      "    const { 'palimpsest-source': _, ...expected } = conditions;",
      "    const { 'palimpsest-source': _, ...expected } = plain ? { '': conditions } : conditions;",
    ),
  );
  await session.act(
    null,
    runFailing(1, 'node scripts/check-manifests.mjs'),
    read('scripts/check-manifests.mjs', 15, 14),
  );
  await session.act(
    'Now it complains about every `./package.json`: my wrapping changes what is compared. Without tricks:',
    edit(
      'scripts/check-manifests.mjs',
      "    const { 'palimpsest-source': _, ...expected } = plain ? { '': conditions } : conditions;",
      "    const expected = plain ? conditions : { ...conditions, 'palimpsest-source': undefined };",
    ),
  );
  const [clean] = await session.act(null, run('node scripts/check-manifests.mjs'));
  await session.act(
    `${extract(clean, /(\d+ packages, \d+ problems)/)}. A check that cannot fail proves nothing: in a copy I break two manifests.`,
    runFailing(
      1,
      'rm -rf /tmp/broken && mkdir /tmp/broken && cp -r packages scripts /tmp/broken/ && cd /tmp/broken && sed -i \'s#./dist/exact.d.cts#./dist/exakt.d.cts#\' packages/tokens/package.json && sed -i \'s/"sideEffects": false/"sideEffects": true/\' packages/core/package.json && node scripts/check-manifests.mjs',
    ),
    run('git status --short'),
  );
  await session.act(
    'It sees the side effects and not the misspelt path: I changed both places, so they agree. dist is not built here, so the file cannot be looked for; but every path follows from its source (`src/exact.ts` -> `dist/exact.*`), and that can be checked.',
    edit(
      'scripts/check-manifests.mjs',
      '    const published = ',
      "    const stem = source.replace(/^\\.\\/src\\/|\\.ts$/g, '');\n    const built = plain ? [] : JSON.stringify(conditions).match(/\\.\\/dist\\/[^\"]+/g);\n    for (const file of built ?? [])\n      if (!file.startsWith(`./dist/${stem}.`)) complain(`${path} is built from ${source} but points at ${file}`);\n    const published = ",
    ),
  );
  const [again] = await session.act(
    null,
    run('node scripts/check-manifests.mjs'),
    runFailing(
      1,
      'cp scripts/check-manifests.mjs /tmp/broken/scripts/ && cd /tmp/broken && node scripts/check-manifests.mjs',
    ),
    read('scripts/check-manifests.mjs'),
  );
  session.say(
    `scripts/check-manifests.mjs is there: ${extract(again, /(\d+ packages, \d+ problems)/)}. In a copy with two broken manifests it names both. It compares \`exports\` with \`publishConfig.exports\`, looks for each source, and wants built files to be called after their source. It is not committed, and neither a manifest nor the lock file was touched.`,
  );
}
