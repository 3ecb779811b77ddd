/**
 * Joins a path to the folder that it is relative to. Removes `.` and `..` where that is possible without the file
 * system.
 */
export function joinPath(folder: string, path: string): string {
  const whole = folder === '' || /^(?:[/~]|[A-Za-z]:[\\/])/.test(path) ? path : `${folder}/${path}`;
  return plainPath(whole);
}

/** Removes `./`, double slashes, a slash at the end, and `name/..` from a path. */
export function plainPath(path: string): string {
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(path.slice(1)) && !path.startsWith('./')) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '.' || part === '') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
