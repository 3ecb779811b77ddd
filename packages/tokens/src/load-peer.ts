import { PalimpsestError } from '@palimpsest/core';

/**
 * Loads an optional peer dependency.
 * @throws {PalimpsestError} `DEPENDENCY_MISSING` if it cannot be loaded; the message has the command that installs it
 */
export async function loadPeer<T>(name: string, wanted: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const command = `npm install ${name}`;
    throw new PalimpsestError(
      'DEPENDENCY_MISSING',
      `${wanted} needs the package '${name}', which could not be loaded. Install it: ${command}`,
      { package: name, command },
      { cause },
    );
  }
}
