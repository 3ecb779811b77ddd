import type { IncomingMessage } from 'node:http';

/** Names under which a program on this machine reaches the proxy. */
const ownNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** True if a request has already passed a proxy. @param via the name of the proxy */
export function hasPassed({ headers }: IncomingMessage, via: string): boolean {
  return (headers.via ?? '').split(',').some((entry) => entry.trim().split(/\s+/)[1] === via);
}

/** True if a client wants to change to the WebSocket protocol. */
export function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return /\bupgrade\b/i.test(headers.connection ?? '') && /\bwebsocket\b/i.test(headers.upgrade ?? '');
}

/**
 * True for a request of a page of the proxy itself, or of a program. Pages of other sites are refused, by origin, by
 * `sec-fetch-site` and by host name (DNS rebinding).
 */
export function isOfLivePage({ headers }: IncomingMessage): boolean {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const isOwnHost = ownNames.has(host.replace(/:\d*$/, '').toLowerCase());
  const isOwnOrigin = origin === undefined || origin === `http://${host}`;
  return isOwnHost && isOwnOrigin && (site === undefined || site === 'same-origin' || site === 'none');
}

/**
 * Why a request is refused; `null` when it may pass. A web page must not use the proxy: its requests have an origin, or
 * the name of another host that was made to point here (DNS rebinding).
 * @param hasTokens true if requests need a token, which no web page has; then any name of the proxy is valid
 */
export function webPageRefusal({ headers }: IncomingMessage, hasTokens: boolean): string | null {
  const host = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
  if (!hasTokens && !ownNames.has(host)) return 'The proxy answers only to 127.0.0.1 and localhost.';
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined || site === 'cross-site' || site === 'same-site')
    return 'The proxy does not answer to web pages.';
  return null;
}
