import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { x } from 'tinyexec';

/** A registry on this machine with packages that are not published. */
export interface PackedRegistry {
  readonly url: string;
  close(): void;
}

/**
 * Starts a registry that npm can install packages of one scope from: `@scope:registry=<url>` in its settings.
 * @param tarballs paths of what `npm pack` made, by package
 */
export async function startPackedRegistry(tarballs: ReadonlyMap<string, string>): Promise<PackedRegistry> {
  const packages = new Map<string, PackedPackage>();
  for (const [name, tarball] of tarballs) packages.set(name, await readPacked(tarball));
  const server = createServer(({ url: path = '/' }, response) => {
    // `/@scope/name` describes a package, and `/@scope/name.tgz` is its content.
    const wanted = decodeURIComponent(path.slice(1));
    const found = packages.get(wanted.replace(/\.tgz$/, ''));
    if (!found) response.writeHead(404).end('{}');
    else if (wanted.endsWith('.tgz')) response.end(found.content);
    else response.setHeader('content-type', 'application/json').end(describe(found, url));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface PackedPackage {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly content: Buffer;
}

async function readPacked(tarball: string): Promise<PackedPackage> {
  const { stdout } = await x('tar', ['-xOzf', tarball, 'package/package.json'], { throwOnError: true });
  return { manifest: JSON.parse(stdout) as PackedPackage['manifest'], content: readFileSync(tarball) };
}

/** What a registry says of a package with one version. */
function describe({ manifest, content }: PackedPackage, registry: string): string {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  const dist = { tarball: `${registry}${name}.tgz`, integrity };
  return JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } });
}
