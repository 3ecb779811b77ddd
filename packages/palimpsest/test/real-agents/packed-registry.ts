import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { x } from 'tinyexec';

/** A registry on this machine with packages that are not published. */
export interface PackedRegistry {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a registry that npm can install packages of one scope from: `@scope:registry=<url>` in its settings.
 * @param tarballs paths of what `npm pack` made, by package
 */
export async function startPackedRegistry(tarballs: ReadonlyMap<string, string>): Promise<PackedRegistry> {
  const server = createServer(async ({ url = '/' }, response) => {
    const [name, isTarball] = readName(decodeURIComponent(url));
    const tarball = tarballs.get(name);
    if (tarball === undefined) response.writeHead(404).end('{}');
    else if (isTarball) response.end(readFileSync(tarball));
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(await describe(tarball, address())));
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: address(),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Reads `/@scope/name` and `/@scope/name.tgz`. */
function readName(path: string): readonly [name: string, isTarball: boolean] {
  const isTarball = path.endsWith('.tgz');
  return [path.slice(1, isTarball ? -'.tgz'.length : undefined), isTarball];
}

/** What a registry says of a package with one version. */
async function describe(tarball: string, registry: string): Promise<object> {
  const { stdout } = await x('tar', ['-xOzf', tarball, 'package/package.json'], { throwOnError: true });
  const manifest = JSON.parse(stdout) as { readonly name: string; readonly version: string };
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const dist = { tarball: `${registry}${name}.tgz`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
