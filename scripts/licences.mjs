// Writes docs/licences.md: the licences of everything that users install or download with our packages. With --check, it
// fails instead if the page is not up to date. A licence that is not listed here is an error: it needs a decision.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishedPackages, readManifest, root, run } from './pack.mjs';

const allowed = new Set(['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

/** Parts of a package for one system. Which of them is installed depends on the machine. */
const forOneSystem = /-(?:android|darwin|freebsd|linux|openharmony|wasm32|win32)-/;

const names = await publishedPackages();
// The private package is bundled into published ones, with what it depends on.
const filters = [...names, 'command-line'].flatMap((name) => ['--filter', `./packages/${name}`]);
const byLicence = JSON.parse(await run('pnpm', ['licenses', 'list', '--prod', '--json', ...filters]));

const rows = [];
for (const [licence, packages] of Object.entries(byLicence)) {
  for (const { name, versions, author, homepage } of packages) {
    if (name.startsWith('@palimpsest/') || name === 'palimpsest' || forOneSystem.test(name)) continue;
    if (!allowed.has(licence))
      throw new Error(`${name} has the licence "${licence}". Decide whether we may depend on it.`);
    for (const version of versions) rows.push({ name, version, licence, author, homepage });
  }
}
rows.sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));

/** Names of our packages that depend on this one directly. */
const users = new Map();
for (const name of names) {
  const { dependencies = {} } = await readManifest(join(root, 'packages', name));
  for (const dependency of Object.keys(dependencies)) users.set(dependency, [...(users.get(dependency) ?? []), name]);
}

const page = `# Licences

<!-- Written by "node scripts/licences.mjs". -->

All our packages have the [MIT licence](../LICENSE). None of them runs a script when it is installed. These are the
${rows.length} packages that come with them. SDKs of providers and frameworks are not listed: you install them yourself.

| package | version | licence | used by |
| --- | --- | --- | --- |
${rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} | ${users.get(name)?.join(', ') ?? ''} |`).join('\n')}

*Used by* is empty for a package that one of the others depends on.
`;

const file = join(root, 'docs/licences.md');
if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8').catch(() => '')) !== page)
    throw new Error('docs/licences.md is not up to date: run "node scripts/licences.mjs"');
} else await writeFile(file, page);
console.log(`${rows.length} dependencies: ${[...new Set(rows.map(({ licence }) => licence))].sort().join(', ')}`);
