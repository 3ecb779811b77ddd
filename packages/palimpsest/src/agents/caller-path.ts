import { statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with the search path that the user has. `npx` puts `node_modules/.bin` of the current folder, and of
 * each folder above it, in front of it. A program there belongs to the folder, and must not run in place of the user's.
 */
export function callerEnvironment(env: Environment, cwd: string): Environment {
  // Other package managers, and npm's own scripts, add these folders because the project asks for it.
  if (env.npm_command !== 'exec') return env;
  const key = pathKey(env);
  const ofFolders = new Set(foldersUpFrom(cwd).map((folder) => join(folder, 'node_modules', '.bin')));
  const kept = (env[key] ?? '').split(delimiter).filter((entry) => !ofFolders.has(resolve(entry)));
  return { ...env, [key]: kept.join(delimiter) };
}

/**
 * Finds a program on the search path only, where Windows would look in the current folder first.
 * @returns its path; `null` if there is none
 */
export function windowsProgram(name: string, env: Environment): string | null {
  const extensions = (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const endings = extensions.some((extension) => name.toLowerCase().endsWith(extension.toLowerCase()))
    ? ['', ...extensions]
    : extensions;
  for (const folder of (env[pathKey(env)] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const found = endings.map((ending) => join(folder, name + ending)).find(isFile);
    if (found !== undefined) return found;
  }
  return null;
}

/** The name of the variable, which Windows spells `Path`. */
function pathKey(env: Environment): string {
  return Object.keys(env).find((name) => /^path$/i.test(name)) ?? 'PATH';
}

function foldersUpFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
