// Writes the API reference of all published packages to docs/api: a static site made from the docstrings, not committed.
// A broken link in a docstring is an error.
import { join } from 'node:path';
import { Application } from 'typedoc';
import { publishedPackages, readManifest, root } from './pack.mjs';

/** Source files of a package's entry points. */
async function entryPoints(name) {
  const folder = join(root, 'packages', name);
  const { exports } = await readManifest(folder);
  return Object.values(exports)
    .flatMap((entry) => entry['palimpsest-source'] ?? [])
    .map((path) => join(folder, path));
}

const packages = await publishedPackages();
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
