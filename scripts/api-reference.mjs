// Writes the API reference of all published packages, from their docstrings, into docs/api (a static site, not committed).
// A link in a docstring that leads nowhere is an error.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Application } from 'typedoc';

const root = new URL('..', import.meta.url).pathname;

/** The sources of a package's entry points, as its manifest names them. */
async function entryPoints(name) {
  const folder = join(root, 'packages', name);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (manifest.private) return [];
  return Object.values(manifest.exports)
    .flatMap((entry) => entry['palimpsest-source'] ?? [])
    .map((path) => join(folder, path));
}

const packages = await readdir(join(root, 'packages'));
const application = await Application.bootstrap({
  name: 'Palimpsest',
  entryPoints: (await Promise.all(packages.map(entryPoints))).flat(),
  basePath: join(root, 'packages'),
  displayBasePath: join(root, 'packages'),
  tsconfig: join(root, 'tsconfig.reference.json'),
  readme: 'none',
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  validation: { invalidLink: true, notExported: false, notDocumented: false },
  disableSources: true,
  skipErrorChecking: true,
});
const project = await application.convert();
if (!project) process.exit(1);
application.validate(project);
const output = join(root, 'docs', 'api');
await application.generateDocs(project, output);
if (application.logger.errorCount + application.logger.warningCount > 0) process.exit(1);
console.log(`API reference: ${output}/index.html`);
