// Writes the API reference of all published packages to docs/api: pages of the site made from the docstrings, not committed.
// A broken link in a docstring is an error.
import { join } from 'node:path';
import { Application } from 'typedoc';
import { publishedPackages, readManifest, root } from './pack.mjs';

/** The entry points of a package: the source file, and the name with which it is imported. */
async function entryPoints(folder) {
  const { name, exports } = await readManifest(join(root, 'packages', folder));
  return Object.entries(exports).flatMap(([path, entry]) =>
    entry['palimpsest-source'] ? { file: join(folder, entry['palimpsest-source']), name: name + path.slice(1) } : [],
  );
}

const output = join(root, 'docs', 'api');
const entries = (await Promise.all((await publishedPackages()).map(entryPoints))).flat();
const application = await Application.bootstrapWithPlugins({
  name: 'API reference',
  plugin: ['typedoc-plugin-markdown'],
  router: 'module',
  entryFileName: 'index',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  useHTMLAnchors: true,
  excludeScopesInPaths: true,
  interfacePropertiesFormat: 'table',
  parametersFormat: 'table',
  readme: 'none',
  entryPoints: entries.map(({ file }) => join(root, 'packages', file)),
  outputs: [{ name: 'markdown', path: output }],
  basePath: join(root, 'packages'),
  displayBasePath: join(root, 'packages'),
  tsconfig: join(root, 'tsconfig.reference.json'),
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  validation: { invalidLink: true, notExported: false, notDocumented: false },
  disableSources: true,
  skipErrorChecking: true,
});
const project = await application.convert();
if (!project) process.exit(1);
for (const module of project.children ?? []) {
  const entry = entries.find(({ file }) => file.replace(/(?:\/index)?\.ts$/, '') === module.name);
  if (!entry) throw new Error(`the module ${module.name} is not an entry point`);
  module.name = entry.name;
}
application.validate(project);
await application.generateOutputs(project);
if (application.logger.errorCount + application.logger.warningCount > 0) process.exit(1);
console.log(`API reference: ${output}`);
