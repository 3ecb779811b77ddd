import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

export interface StaticSite {
  readonly address: string;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Builds the web view into a folder, as `web:build` does. */
export async function buildSite(folder: string): Promise<void> {
  const configFile = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url));
  await build({ configFile, logLevel: 'warn', build: { outDir: folder } });
}

/** A minimal static host that serves a folder under a path. */
export async function serveSite(folder: string, below = '/somewhere/deep/'): Promise<StaticSite> {
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const file = normalize(join(folder, pathname.slice(below.length) || 'index.html'));
    const type = types[extname(file)];
    if (!pathname.startsWith(below) || !file.startsWith(folder) || !type) {
      response.writeHead(404).end();
      return;
    }
    try {
      const content = readFileSync(file);
      response.writeHead(200, { 'content-type': type }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
