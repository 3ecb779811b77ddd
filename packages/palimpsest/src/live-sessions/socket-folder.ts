import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';

const ending = '.sock';
/** Length of the longest path of a socket, on all systems. */
const maxBytes = 103;

/** The folder with a socket for each running proxy of a user. @param home the user's home folder */
export function socketFolder(home: string): string {
  return join(home, '.palimpsest');
}

/**
 * Creates the folder, so that only its owner can open it, and removes the sockets of proxies that were killed.
 * @throws {Error} if it belongs to somebody else, or is a link
 */
export async function prepareSocketFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== userInfo().uid)
    throw new Error(`${folder} is not a folder of this user; remove it, and start the proxy again`);
  await chmod(folder, 0o700);
  for (const path of await socketsIn(folder)) if (await isDead(path)) await rm(path, { force: true });
}

/** The paths of the sockets in a folder; none if there is no such folder. */
export async function socketsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

/** The path of a new socket. @param id different for each proxy @throws {Error} if it is too long for a socket */
export function socketPath(folder: string, id: string): string {
  const path = join(folder, `${id}${ending}`);
  // Node would shorten it silently.
  if (Buffer.byteLength(path) > maxBytes) throw new Error(`the path ${path} is too long for a socket`);
  return path;
}

function isDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'));
  });
}
