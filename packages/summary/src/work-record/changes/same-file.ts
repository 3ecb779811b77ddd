import type { AnsweredCall } from '../calls/answered-calls.ts';

/** Maximum length of a folder path to compare, in characters. */
const longestPath = 1_000;
/** Matches a user's home folder, which `~` stands for. */
const home: RegExp = /^\/(?:home|Users)\/[^/]{1,100}$|^\/root$/;
/** Maximum number of files with the same name to compare. */
const mostNamesakes = 20;
/** If the relative paths that fit one folder contain so many folders in total, the agent counts as having worked in it. */
const fittingFolders = 3;

/**
 * Finds paths of the same file. A relative path matches the only absolute path that ends with it, if the agent worked
 * in the folder that the path is relative to; for a path with a folder, a folder below is enough. If the relative paths that
 * fit one folder contain three folders in total, the agent counts as having worked in it. `~/a` matches the only such path in
 * a home folder.
 * @returns a function from a path to the one that identifies its file
 */
export function sameFile(calls: readonly AnsweredCall[]): (path: string) => string {
  const absolute = new Map<string, Set<string>>();
  const relative = new Set<string>();
  const folders = new Set<string>();
  const ancestors = new Set<string>();
  const add = (path: string): void => {
    if (!path.startsWith('/')) relative.add(path);
    else {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const known = absolute.get(name);
      if (!known) absolute.set(name, new Set([path]));
      else if (known.size < mostNamesakes) known.add(path);
    }
  };
  for (const { operations } of calls)
    for (const { action, path, to } of operations) {
      if (action === 'enter') folders.add(path);
      else if (path !== '') add(path);
      if (to !== undefined) add(to);
    }
  for (const folder of folders)
    for (let end = folder.length; end > 0; end = folder.lastIndexOf('/', end - 1)) {
      const above = folder.slice(0, end);
      if (ancestors.has(above) || folder.length > longestPath) break;
      ancestors.add(above);
    }
  const namesakes = (path: string): string[] =>
    [...(absolute.get(path.slice(path.lastIndexOf('/') + 1)) ?? [])].filter((whole) =>
      path.startsWith('~/')
        ? whole.endsWith(path.slice(1)) && home.test(whole.slice(0, 1 - path.length))
        : whole.endsWith(`/${path}`),
    );
  const rootOf = (whole: string, path: string): string => whole.slice(0, -path.length - 1);
  const fitting = new Map<string, number>();
  for (const path of relative) {
    const [whole, other] = namesakes(path);
    if (whole === undefined || other !== undefined || path.startsWith('~/')) continue;
    const root = rootOf(whole, path);
    fitting.set(root, (fitting.get(root) ?? 0) + path.split('/').length - 1);
  }
  for (const [root, count] of fitting) if (count >= fittingFolders) folders.add(root);
  const names = new Map<string, string>();
  for (const path of relative) {
    const isIn = (root: string): boolean => folders.has(root) || (path.includes('/') && ancestors.has(root));
    const same = namesakes(path).filter((whole) => path.startsWith('~/') || isIn(rootOf(whole, path)));
    if (same.length === 1) names.set(path, same[0]!);
  }
  return (path) => names.get(path) ?? path;
}
