/**
 * Where a Markdown file of the repository is on the site; `null` if it is not there. Paths are relative to the repository.
 * READMEs, decisions and the results of the bench are pages of the site as they are, so that nothing is written twice.
 */
export function pageOf(file: string): string | null {
  for (const [pattern, page] of pages) {
    const match = pattern.exec(file);
    if (match) return page.replace('$1', match[1] ?? '');
  }
  return null;
}

/** Private packages have no page: they are not published. */
const pages: readonly (readonly [RegExp, string])[] = [
  [/^docs\/(?!node_modules\/|\.)(.+\.md)$/, '$1'],
  [/^packages\/(?!command-line\/)([\w-]+)\/README\.md$/, 'packages/$1.md'],
  [/^packages\/(?!command-line\/)([\w-]+)\/CHANGELOG\.md$/, 'changes/$1.md'],
  [/^packages\/palimpsest\/docs\/(.+\.md)$/, 'program/$1'],
  [/^contributing\/decisions\/README\.md$/, 'decisions/index.md'],
  [/^contributing\/decisions\/(.+\.md)$/, 'decisions/$1'],
  [/^apps\/bench\/RESULTS\.md$/, 'benchmarks.md'],
  [/^ARCHITECTURE\.md$/, 'architecture.md'],
  [/^SECURITY\.md$/, 'security.md'],
];
