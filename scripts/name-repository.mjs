// Writes the address of this repository into every published package, before it is published by a workflow of GitHub. npm
// compares it with the repository that the workflow runs in (provenance).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishedPackages, readManifest, root } from './pack.mjs';

const { GITHUB_REPOSITORY: repository, GITHUB_SERVER_URL: server = 'https://github.com' } = process.env;
if (!repository) throw new Error('GITHUB_REPOSITORY is not set: this script is for the release workflow');

for (const name of await publishedPackages()) {
  const folder = join(root, 'packages', name);
  const manifest = await readManifest(folder);
  manifest.repository = { type: 'git', url: `git+${server}/${repository}.git`, directory: `packages/${name}` };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
