import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeHealth } from '../serving/health.ts';
import { type ListenAddress, urlOf } from '../serving/listen-address.ts';
import type { ProxyMetrics } from './proxy-metrics.ts';

/** A server of metrics that is running. */
export interface MetricsServer {
  readonly url: string;
  close(): void;
}

/**
 * Serves `/metrics`, `/healthz` and `/readyz` on a separate address, also while the proxy drains.
 * @throws {NodeJS.ErrnoException} for a port in use
 */
export async function serveMetrics(
  { host, port }: ListenAddress,
  { registry }: ProxyMetrics,
  isDraining: () => boolean,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (writeHealth(path, response, isDraining())) return;
    if (path !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    void registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: urlOf({ host, port: (server.address() as AddressInfo).port }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
