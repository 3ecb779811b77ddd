import type { FileOperation } from '../calls/file-operation.ts';

/** Placeholder for an argument whose text only the shell knows. */
export const unknownText = '\u0000';

/** Returns the arguments with known text that are not options. */
export function plain(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args
    .filter((text, at) => text !== '' && text !== unknownText && (!text.startsWith('-') || at > end) && at !== end)
    .filter((text) => end >= 0 || !text.startsWith('-'));
}

/** Returns one operation for each path. */
export function each(action: FileOperation['action'], paths: readonly string[]): FileOperation[] {
  return paths.map((path) => ({ action, path }));
}

/** Operations of `mv` and `cp`: the last argument is the new path or the target folder. */
export function readMove(action: 'move' | 'copy', args: readonly string[]): FileOperation[] {
  const into = args.findIndex((text) => /^(?:-t|--target-directory)$/.test(text));
  const paths = args.filter((text) => !text.startsWith('-') && text !== '');
  const target = into >= 0 ? args[into + 1] : paths.at(-1);
  const sources = paths.filter((path) => path !== target && path !== unknownText);
  if (target === undefined || target === unknownText || sources.length === 0) return [];
  return sources.map((path) => {
    const name = path.replace(/\/+$/, '').replace(/^.*\//s, '');
    const isFolder =
      into >= 0 ||
      paths.length > 2 ||
      /(?:^|\/)\.{0,2}$/.test(target) ||
      (hasExtension(name) && !hasExtension(target.replace(/^.*\//s, '')));
    return { action, path, to: isFolder ? `${target.replace(/\/+$/, '')}/${name}` : target };
  });
}

function hasExtension(name: string): boolean {
  return /[^.]\.[A-Za-z]\w{0,9}$/.test(name) || /^\.\w/.test(name);
}
