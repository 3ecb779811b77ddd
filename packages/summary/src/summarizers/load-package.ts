import { PalimpsestError } from '@palimpsest/core';

/**
 * Loads an optional peer dependency when it is first needed.
 * @throws {PalimpsestError} `DEPENDENCY_MISSING` with the command that installs it
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const code = (cause as { code?: unknown } | null)?.code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    const command = `npm install ${name}`;
    throw new PalimpsestError('DEPENDENCY_MISSING', `The package "${name}" is not installed. Run: ${command}`, {
      package: name,
      command,
    });
  }
}
