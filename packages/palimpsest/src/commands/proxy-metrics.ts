import { CliError } from '@palimpsest/command-line/cli-error';
import { systemReason } from '@palimpsest/command-line/system-reason';
import type { ProxyObserver } from '../proxy/events/proxy-event.ts';
import type { MetricsServer } from '../proxy/metrics/serve-metrics.ts';
import type { ContextProxy } from '../proxy/start-proxy.ts';
import { metricsAddress, type ServingFlags } from './serving-flags.ts';

/** The metrics of a proxy that may not have been started yet. */
export interface OpenMetrics {
  readonly observe: ProxyObserver;
  /** Serves them. @throws {CliError} for a port in use */
  serve(proxy: ContextProxy): Promise<MetricsServer>;
}

/** Creates the metrics that `--metrics` asks for. @throws {CliError} without `prom-client` */
export async function openMetrics(flags: ServingFlags & { readonly observe?: boolean }): Promise<OpenMetrics | null> {
  if (flags.metrics === undefined) return null;
  const { proxyMetrics } = await import('../proxy/metrics/proxy-metrics.ts');
  const { serveMetrics } = await import('../proxy/metrics/serve-metrics.ts');
  let proxy: ContextProxy | null = null;
  const metrics = await proxyMetrics({
    isObserving: flags.observe ?? false,
    engine: () => proxy?.engine ?? '',
    conversations: () => proxy?.conversations.length ?? 0,
    running: () => proxy?.running ?? 0,
  });
  const address = flags.metrics === true ? metricsAddress : flags.metrics;
  return {
    observe: metrics.observe,
    async serve(started) {
      proxy = started;
      try {
        return await serveMetrics(address, metrics, () => started.isDraining);
      } catch (error) {
        await started.close();
        throw CliError.badInput(
          `--metrics: ${address.host}:${address.port} cannot be opened: ${systemReason(error)}; name another`,
          error,
        );
      }
    },
  };
}
