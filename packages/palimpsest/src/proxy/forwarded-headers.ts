import { tokenHeader } from './tenants/provider-key.ts';

/** Headers of one connection, which a proxy does not pass on (RFC 9110, section 7.6.1). */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Headers that are replaced for the provider, or not meant for it. No compression is requested, because a reply must be
 * readable.
 */
const setByProxy: ReadonlySet<string> = new Set(['host', 'content-length', 'expect', 'accept-encoding', tokenHeader]);

/**
 * The headers of a request as the provider gets them.
 * @param raw names and values in turn, as Node reads them
 * @param via the name of this proxy, as a proxy states it (RFC 9110, section 7.6.3)
 */
export function requestHeaders(raw: readonly string[], via: string): Headers {
  const headers = new Headers();
  const dropped = namesIn(raw);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    if (!ofConnection.has(name) && !setByProxy.has(name) && !dropped.has(name)) headers.append(name, raw[at + 1]!);
  }
  headers.set('accept-encoding', 'identity');
  headers.append('via', `1.1 ${via}`);
  return headers;
}

/** The headers of a reply as the client gets them. */
export function replyHeaders(headers: Headers): [name: string, value: string][] {
  const dropped = namesIn(['connection', headers.get('connection') ?? '']);
  return [...headers].filter(([name]) => !ofConnection.has(name) && !dropped.has(name));
}

/** The headers that `Connection` names: they belong to the connection as well. */
function namesIn(raw: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]!.toLowerCase() === 'connection')
      for (const name of raw[at + 1]!.split(',')) names.add(name.trim().toLowerCase());
  return names;
}
