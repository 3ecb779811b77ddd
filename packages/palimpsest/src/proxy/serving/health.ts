import type { ServerResponse } from 'node:http';

/** Answers `/healthz`, always, and `/readyz`, not while the proxy drains. @returns false for another path */
export function writeHealth(path: string, response: ServerResponse, isDraining: boolean): boolean {
  if (path !== '/healthz' && path !== '/readyz') return false;
  const isReady = path === '/healthz' || !isDraining;
  response.writeHead(isReady ? 200 : 503, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
  response.end(isReady ? 'ok\n' : 'draining\n');
  return true;
}
