import { BlockList, isIP } from 'node:net';

/** Where a proxy listens. */
export interface ListenAddress {
  /** A name, or an address without brackets. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Parses an address such as `0.0.0.0:4141` or `[::1]:4141`; `null` for anything else. */
export function parseAddress(text: string): ListenAddress | null {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535 || (bracketed !== undefined && isIP(bracketed) !== 6)) return null;
  return { host, port: Number(port) };
}

/** True if only programs on this machine reach it. */
export function isLoopback({ host }: Pick<ListenAddress, 'host'>): boolean {
  const version = isIP(host);
  return version === 0 ? host.toLowerCase() === 'localhost' : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

/** The address as the beginning of a URL. */
export function urlOf({ host, port }: ListenAddress): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
