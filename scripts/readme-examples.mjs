// Writes every ```ts block of the READMEs and the pages of the site to a file in test/.readme-examples/. `check:types:tests` checks
// their types, and test/readmes.test.ts runs them. A fragment that cannot run by itself is marked ```ts no-run; there should be few.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pack.mjs';

const folder = join(root, 'test/.readme-examples');
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.md') && !/^(?:api|node_modules|\.vitepress)[\\/]/.test(file),
);
const documents = [
  { owner: 'repository', file: join(root, 'README.md') },
  ...readdirSync(join(root, 'packages')).map((owner) => ({ owner, file: join(root, 'packages', owner, 'README.md') })),
  ...pages.map((page) => ({
    owner: `docs-${page.slice(0, -3).replace(/[\\/]/g, '-')}`,
    file: join(root, 'docs', page),
  })),
].filter(({ file }) => existsSync(file));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { owner, file } of documents) {
  const blocks = readFileSync(file, 'utf8').matchAll(/^```ts[ \t]*\n(.*?)^```$/gms);
  for (const [index, [, code]] of [...blocks].entries())
    writeFileSync(join(folder, `${owner}-${index + 1}.ts`), code.includes('import ') ? code : `${code}\nexport {};\n`);
}
