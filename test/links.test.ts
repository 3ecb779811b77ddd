import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Every link inside the repository leads to an existing file and heading. Links to the web are not checked. */
const root = fileURLToPath(new URL('..', import.meta.url));
/** `api` is the generated reference, whose links the build of the site checks. */
const skipped = new Set(['node_modules', 'dist', 'api', 'CHANGELOG.md']);

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name) || entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** A document without its code. */
const prose = (text: string): string => text.replace(/^(`{3,}).*?^\1/gms, '').replace(/`[^`\n]*`/g, 'code');

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replace(/^(`{3,}).*?^\1/gms, '');
  return new Set(
    [...text.matchAll(/^#{1,6} (.+)$/gm)].map((match) =>
      match[1]!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .trim()
        .replace(/ /g, '-'),
    ),
  );
}

function broken(file: string): string[] {
  const links = [...prose(readFileSync(file, 'utf8')).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(
    (match) => match[1]!,
  );
  return links.filter((link) => {
    if (/^(?:https?:|mailto:)/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : resolve(dirname(file), decodeURIComponent(path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
  });
}

describe('links', () => {
  const documents = markdownIn(root);

  it.each(documents.map((file) => relative(root, file)))('of %s are valid', (file) => {
    expect(broken(join(root, file))).toEqual([]);
  });

  it('are checked in every README', () => {
    const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'README.md'));
    expect(documents.map((file) => relative(root, file))).toEqual(expect.arrayContaining(packages));
  });
});
