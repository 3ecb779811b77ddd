import { isIP } from 'node:net';

/** Where a proxy listens. */
export interface ListenAddress {
  /** A name, or an address without brackets. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** Hosts that only programs on this machine reach. */
const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);

/** Parses an address such as `0.0.0.0:4141` or `[::1]:4141`; `null` for anything else. */
export function parseAddress(text: string): ListenAddress | null {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535 || (bracketed !== undefined && isIP(bracketed) !== 6)) return null;
  return { host, port: Number(port) };
}

/** True if only programs on this machine reach it. */
export function isLoopback({ host }: Pick<ListenAddress, 'host'>): boolean {
  return loopback.has(host.toLowerCase());
}

/** The address as the beginning of a URL. */
export function urlOf({ host, port }: ListenAddress): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
