import { resolve } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { formatCount } from '@palimpsest/command-line/count';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { parseCount } from '@palimpsest/eval/engines/parse-count';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultLimits } from '../conversations/conversations.ts';
import type { ProxyOptions } from '../proxy/proxy-options.ts';
import { defaultServerLimits } from '../proxy/serving/create-limited-server.ts';
import { type ListenAddress, parseAddress, urlOf } from '../proxy/serving/listen-address.ts';
import type { Tenants } from '../proxy/tenants/tenants.ts';
import { maxDrainDelaySeconds, maxDrainSeconds } from './end-times.ts';
import type { ProxyLog } from './proxy-log.ts';

/** The options of a proxy that serves others. */
export interface ServingFlags {
  readonly listen?: ListenAddress;
  readonly port: number;
  readonly tokens?: string;
  readonly maxConversations: number;
  readonly maxConnections: number;
  /** Megabytes. */
  readonly maxRunning: number;
  readonly requestTimeout: number;
  readonly drain: number;
  /** Seconds after SIGTERM in which new requests are still accepted. */
  readonly drainDelay: number;
  readonly holdout?: number;
  readonly log: 'text' | 'json';
  readonly metrics?: ListenAddress | true;
}

const bytesPerMegabyte = 1024 * 1024;

/** Where metrics are served by default. */
export const metricsAddress: ListenAddress = { host: '127.0.0.1', port: 9464 };

/** Adds the options of a proxy that serves others. */
export function addServingOptions(command: Command): Command {
  const { maxConversations } = defaultLimits;
  const { maxConnections, maxRunningBytes, requestTimeoutMs } = defaultServerLimits;
  return command
    .option('--port <port>', 'the port on 127.0.0.1; 0 for any free one', parseCount(65_535, 0), 4141)
    .addOption(
      new Option('--listen <address>', 'address and port, such as 0.0.0.0:4141, for tenants')
        .argParser(parseListen)
        .conflicts('port'),
    )
    .option('--tokens <file>', 'who may use the proxy, and how much; read again on SIGHUP')
    .option('--max-conversations <count>', 'conversations in memory', parseCount(999_999_999), maxConversations)
    .option('--max-connections <count>', 'connections of clients', parseCount(999_999_999), maxConnections)
    .option(
      '--max-running <megabytes>',
      'size of all running requests',
      parseCount(999_999),
      maxRunningBytes / bytesPerMegabyte,
    )
    .option(
      '--request-timeout <seconds>',
      'seconds that a client has to send a request',
      parseCount(999_999_999),
      requestTimeoutMs / 1000,
    )
    .addOption(
      new Option('--holdout <share>', 'compact this share of conversations, such as 0.1, only when it must be')
        .argParser(parseShare)
        .conflicts('observe'),
    )
    .option(
      '--metrics [address]',
      `serve metrics for Prometheus; without an address, on ${urlOf(metricsAddress).slice(7)}`,
      parseListen,
    )
    .addOption(
      new Option('--log <form>', 'how events are written: lines for a person, or all of them as JSON')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option(
      '--drain-delay <seconds>',
      'seconds to accept new requests after SIGTERM',
      parseCount(maxDrainDelaySeconds, 0),
      0,
    )
    .option(
      '--drain <seconds>',
      'seconds to wait for running requests after SIGTERM',
      parseCount(maxDrainSeconds, 0),
      maxDrainSeconds,
    );
}

/**
 * Returns the options to serve with, and opens the file of `--tokens`.
 * @throws {CliError} for an invalid file
 */
export async function servingSettings(
  flags: ServingFlags,
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
): Promise<Pick<ProxyOptions, 'host' | 'port' | 'tenants' | 'limits' | 'serverLimits' | 'holdout'>> {
  return {
    host: flags.listen?.host,
    port: flags.listen?.port ?? flags.port,
    tenants: flags.tokens === undefined ? undefined : await openTenants(resolve(cwd, flags.tokens), env),
    holdout: flags.holdout,
    limits: { ...defaultLimits, maxConversations: flags.maxConversations },
    serverLimits: {
      requestTimeoutMs: flags.requestTimeout * 1000,
      maxConnections: flags.maxConnections,
      maxRunningBytes: flags.maxRunning * bytesPerMegabyte,
    },
  };
}

async function openTenants(path: string, env: Terminal['env']): Promise<Tenants> {
  // Loaded here, so that the other commands start faster.
  const { readTenants } = await import('../proxy/tenants/read-tenants.ts');
  const { Tenants } = await import('../proxy/tenants/tenants.ts');
  return Tenants.open(() => readTenants(path, env));
}

/** Reads the tokens again on each `SIGHUP`. @returns a function that stops that */
export function reloadOnHangup(tenants: Tenants, log: Pick<ProxyLog, 'note' | 'problem'>): () => void {
  const reload = (): void =>
    void tenants.reload().then(
      () => log.note(`the tokens were read again: ${formatCount(tenants.size, 'tenant')}`),
      (error: unknown) =>
        log.problem(`the tokens stay as they were: ${error instanceof CliError ? error.message : 'an unknown error'}`),
    );
  process.on('SIGHUP', reload);
  return () => process.off('SIGHUP', reload);
}

function parseListen(text: string): ListenAddress {
  const address = parseAddress(text);
  if (!address) throw new InvalidArgumentError('Write an address and a port, such as 0.0.0.0:4141 or [::]:4141.');
  return address;
}

function parseShare(text: string): number {
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(share >= 0 && share <= 1)) throw new InvalidArgumentError('Write a number from 0 to 1, such as 0.1.');
  return share;
}
