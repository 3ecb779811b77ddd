import type { AnsweredCall } from '../calls/select-answered.ts';

/** Maximum number of files with the same name to compare. */
const maxNamesakes = 20;
/** One relative path may fit an absolute path of another repository by chance. */
const minMatches = 2;
/** Matches a user's home folder, which `~` stands for. */
const home: RegExp = /^\/(?:home|Users)\/[^/]{1,100}$|^\/root$/;

/**
 * Finds paths of the same file. A relative path matches the only absolute path that ends with it, if a command entered the
 * folder that it is then relative to, or if at least two relative paths with a folder fit this one and none fits another.
 * `~/a` matches the only such path in a home folder.
 * @returns a function from a path to the one that identifies its file
 */
export function sameFile(calls: readonly AnsweredCall[]): (path: string) => string {
  const absolute = new Map<string, Set<string>>();
  const relative = new Set<string>();
  const entered = new Set<string>();
  const add = (path: string): void => {
    if (!path.startsWith('/')) relative.add(path);
    else {
      const known = absolute.get(nameOf(path)) ?? new Set();
      if (known.size < maxNamesakes) absolute.set(nameOf(path), known.add(path));
    }
  };
  for (const { operations } of calls)
    for (const { action, path, to = '' } of operations) {
      if (action === 'enter') entered.add(path);
      else add(path);
      add(to);
    }
  const found: { path: string; whole: string; root: string }[] = [];
  for (const path of relative) {
    const end = path.startsWith('~/') ? path.slice(1) : `/${path}`;
    const fits = [...(absolute.get(nameOf(path)) ?? [])].filter((whole) => whole.endsWith(end));
    const [whole = '', ...others] = path === '' ? [] : fits;
    if (whole !== '' && others.length === 0) found.push({ path, whole, root: whole.slice(0, -end.length) });
  }
  const nested = found.filter(({ path }) => path.includes('/') && path[0] !== '~');
  const roots = new Set(nested.map(({ root }) => root));
  const isKnown = roots.size === 1 && nested.length >= minMatches;
  const isSame = ({ path, root }: { path: string; root: string }): boolean =>
    path.startsWith('~/') ? home.test(root) : entered.has(root) || (isKnown && roots.has(root));
  const names = new Map(found.filter(isSame).map(({ path, whole }) => [path, whole]));
  return (path) => names.get(path) ?? path;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
