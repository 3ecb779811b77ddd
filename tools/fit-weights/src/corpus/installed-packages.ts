import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type DocumentSink, hash, readText, repository, shuffle, walk } from './files.ts';
import { languageOf } from './languages.ts';

/** Collects files from a package manager's store, with their kind by extension. */
export function collectInstalledPackages(write: DocumentSink): void {
  const kinds: Record<string, string> = {
    '.ts': 'code-ts',
    '.js': 'code-js',
    '.mjs': 'code-js',
    '.tsx': 'code-ts',
    '.py': 'code-py',
    '.c': 'code-c',
    '.h': 'code-c',
    '.go': 'code-go',
    '.java': 'code-c',
    '.sh': 'code-sh',
    '.css': 'code-css',
    '.json': 'json',
    '.md': 'markdown',
    '.html': 'html',
    '.yml': 'yaml',
    '.yaml': 'yaml',
    '.rs': 'code-rs',
    '.cpp': 'code-c',
    '.pl': 'code-py',
    '.rb': 'code-py',
    '.sql': 'code-sh',
  };
  const roots = [
    `${repository}/node_modules/.pnpm`,
    '/usr/lib/python3',
    '/usr/lib/python3.11',
    '/usr/include',
    '/usr/local/lib',
    '/usr/share/perl',
    '/usr/local/go/src',
  ];
  for (const root of roots) {
    let seen = 0;
    for (const path of walk(root)) {
      const kind = kinds[extname(path)];
      if (
        !kind ||
        path.includes('diagnosticMessages') ||
        statSync(path).size > 400_000 ||
        /[/\\]bpeRanks|\.map$/.test(path)
      )
        continue;
      if (++seen > 9_000) break;
      if (parseInt(hash(path).slice(0, 4), 16) % 6 !== 0) continue;
      const text = readText(path);
      if (/[^\t\n\r\x20-\x7e]/.test(text.slice(0, 2000)) && kind !== 'markdown') continue;
      if (/;base64,|[A-Za-z0-9+/]{400}/.test(text)) continue;
      write(text.length / (text.split('\n').length + 1) > 400 ? 'minified' : kind, path.slice(-80), text);
    }
  }
}

/** Collects localized messages: TypeScript's, in 13 languages, and the locales of other packages. */
export function collectLocalizedMessages(write: DocumentSink): void {
  const store = `${repository}/node_modules/.pnpm`;
  const compilers = readdirSync(store, { withFileTypes: true }).filter(({ name }) => name.startsWith('typescript@5.9'));
  for (const path of shuffle(compilers).flatMap(({ name }) => [...walk(join(store, name), 11)])) {
    const found = /\/lib\/([a-z-]+)\/diagnosticMessages\.generated\.json$/.exec(path);
    if (!found) continue;
    const messages = Object.values(JSON.parse(readText(path)) as Record<string, string>);
    for (let at = 0; at < messages.length; at += 200)
      write(`lang-${languageOf(found[1]!)}`, `typescript-${at}`, messages.slice(at, at + 200).join('\n'));
  }
}
