import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Every identifier and path that a document names exists in the sources. */
const root = fileURLToPath(new URL('..', import.meta.url));

const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));

const files = tracked();
const words = new Set(
  files
    .filter((path) => /\.(?:tsx?|mts|mjs|cjs|json|yml)$/.test(path) && !/\/samples\/|^docs\/|\.test\.ts$/.test(path))
    .flatMap((path) => readFileSync(join(root, path), 'utf8').match(/[A-Za-z_]\w*/g) ?? []),
);

/** Names of other libraries, and examples. */
const foreign = new Set(['callModelInputFilter', 'contextManagement', 'summarizationMiddleware', 'src/userStore.ts']);

/** The words in backticks in a document, without its blocks of code. */
function quoted(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8').replace(/^(`{3,}).*?^\1/gms, '');
  return [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
}

/** True if a path exists from the root, next to the document, in a package, or anywhere below a `src` folder. */
function isFile(path: string, document: string): boolean {
  const [first, ...rest] = path.replace(/\/$/, '').split('/');
  const places = [
    path,
    join(dirname(document), path),
    join('packages', path),
    join('packages', first!, 'src', ...rest),
  ];
  return places.some((place) => existsSync(join(root, place))) || files.some((file) => file.includes(`/${path}`));
}

const documents = tracked('ARCHITECTURE.md', 'CONTRIBUTING.md', 'contributing/naming.md', 'packages/*/README.md');

it.each(documents)('%s names what exists', (document) => {
  const missing = quoted(document).filter((name) => {
    // `createX` stands for many names.
    if (foreign.has(name) || /^[a-z]+X$/.test(name)) return false;
    if (/^[a-z]+[A-Z]\w*(?:\(.*\))?$/.test(name)) return !words.has(name.replace(/\(.*/, ''));
    return /^[\w.-]+(?:\/[\w.-]+)*\/[\w-]+\.ts$/.test(name) && !isFile(name, document);
  });
  expect(missing).toEqual([]);
});
