import { CliError } from '@palimpsest/command-line/cli-error';
import type { Registry } from 'prom-client';
import type { EventConversation, ProxyObserver } from '../events/proxy-event.ts';

type PromClient = typeof import('prom-client');

/** What is read when the metrics are asked for. */
export interface ProxyGauges {
  /** The name of the engine. */
  engine(): string;
  /** True if requests are sent unchanged. */
  readonly isObserving: boolean;
  /** Conversations in memory. */
  conversations(): number;
  /** Requests that are not answered yet. */
  running(): number;
}

/** The metrics of a proxy. */
export interface ProxyMetrics {
  readonly registry: Pick<Registry, 'metrics' | 'contentType'>;
  readonly observe: ProxyObserver;
}

/** From 1 ms, the time to parse a short request, to a minute. Seconds. */
const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/**
 * Creates the metrics of a proxy, for Prometheus. No label has a name that a client chooses, so their number is bounded.
 * @throws {CliError} without `prom-client`
 */
export async function proxyMetrics(gauges: ProxyGauges): Promise<ProxyMetrics> {
  const client = await loadClient();
  const { Counter, Gauge, Histogram } = client;
  const registry = new client.Registry();
  const registers = [registry];
  client.collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `palimpsest_${name}`, help, labelNames: [...labelNames], registers });
  const arms = ['tenant', 'arm'] as const;
  const requests = counter('requests_total', 'Requests that were passed on.', ['tenant', 'upstream', 'code', 'arm']);
  const refusals = counter('refusals_total', 'Requests that the proxy refused.', ['tenant', 'reason']);
  const compactions = counter('compactions_total', 'Compactions.', ['tenant', 'trigger', 'writer', 'arm']);
  const sent = counter('prompt_tokens_sent_total', 'Prompt tokens sent to providers.', arms);
  const original = counter('prompt_tokens_original_total', 'Prompt tokens that clients sent.', arms);
  const paid = counter('dollars_paid_total', 'Cost of the answers and summaries, at list prices.', arms);
  const uncompacted = counter('dollars_original_total', 'Cost of the answers to what clients sent.', arms);
  const stores = counter('store_errors_total', 'States that could not be stored or read.', []);
  const storeUp = new Gauge({ name: 'palimpsest_store_up', help: '1 if the store answers, otherwise 0.', registers });
  storeUp.set(1);
  const added = new Histogram({
    name: 'palimpsest_added_latency_seconds',
    help: 'Time between a request with a conversation and its first call to the provider.',
    buckets: latencyBuckets,
    registers,
  });
  addGauges(client, registry, gauges);
  return {
    registry,
    observe(event) {
      const tenant = 'tenant' in event ? (event.tenant ?? '') : '';
      switch (event.type) {
        case 'request':
          requests.labels(tenant, event.upstream, `${event.status}`, armOf(event.conversation)).inc();
          if (event.addedMs !== null && event.conversation) added.observe(event.addedMs / 1000);
          break;
        case 'usage': {
          const labels = [tenant, armOf(event.conversation)] as const;
          sent.labels(...labels).inc(event.sentTokens);
          original.labels(...labels).inc(event.originalTokens);
          paid.labels(...labels).inc(event.paidDollars);
          uncompacted.labels(...labels).inc(event.originalDollars);
          break;
        }
        case 'compaction':
          compactions.labels(tenant, event.trigger, event.writer, armOf(event.conversation)).inc();
          break;
        case 'refused':
          refusals.labels(tenant, event.reason).inc();
          break;
        case 'store-failed':
          stores.inc();
          storeUp.set(0);
          break;
        case 'store-back':
          storeUp.set(1);
      }
    },
  };
}

/** What is read when the metrics are asked for. */
function addGauges({ Gauge }: PromClient, registry: Registry, gauges: ProxyGauges): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `palimpsest_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  gauge('conversations', 'Conversations in memory.', gauges.conversations);
  gauge('requests_running', 'Requests that are not answered yet.', gauges.running);
  new Gauge({
    name: 'palimpsest_info',
    help: 'The engine, and whether requests are changed.',
    labelNames: ['engine', 'mode'],
    registers,
    collect() {
      this.labels(gauges.engine(), gauges.isObserving ? 'observe' : 'compact').set(1);
    },
  });
}

function armOf(conversation: EventConversation | null): string {
  return conversation === null ? 'none' : conversation.isHeldOut ? 'holdout' : 'compacted';
}

async function loadClient(): Promise<PromClient> {
  try {
    const module = await import('prom-client');
    return module.default ?? module;
  } catch (error) {
    throw CliError.badUsage('--metrics needs the package prom-client; run npm install prom-client', error);
  }
}
