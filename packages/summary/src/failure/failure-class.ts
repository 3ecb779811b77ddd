import { PalimpsestError } from '@palimpsest/core';

/** What went wrong with a summarizer, as far as it decides what happens next. */
export type FailureClass =
  | 'access'
  | 'network'
  | 'transient'
  | 'missing-model'
  | 'bad-output'
  | 'overflow'
  | 'unknown'
  | 'cancelled';

/** A failure, classified. `reason` is in our own words: a provider's prose may quote the conversation or a key. */
export interface Failure {
  readonly class: FailureClass;
  readonly reason: string;
  /** A connection that broke while the answer was coming, which heals sooner than a refused one. */
  readonly closedStream: boolean;
  /** How long the provider asked to wait; 0 when it did not. */
  readonly retryAfterMs: number;
  /** The HTTP status, where there was one. */
  readonly status?: number | undefined;
}

const classes: ReadonlySet<string> = new Set<FailureClass>([
  'access',
  'network',
  'transient',
  'missing-model',
  'bad-output',
  'overflow',
  'unknown',
  'cancelled',
]);

const accessStatuses: ReadonlySet<number> = new Set([401, 402, 403]);
const transientStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

const quota: RegExp =
  /insufficient[_ ](?:quota|balance|credits?|funds)|quota[_ ]exceeded|exceeded your (?:current )?quota|billing|credit balance|payment required|arrears/i;
const badKey: RegExp =
  /invalid[_ ](?:x-)?api[_ -]?key|incorrect api key|authentication[_ ]error|permission[_ ]error|unauthori[sz]ed/i;
const noModel: RegExp =
  /model[_ ]not[_ ](?:found|available|supported)|unknown model|no such model|invalid model|model .{0,100}(?:does not exist|not found|is not supported)|deployment.{0,40}not found/i;
const tooLong: RegExp =
  /context[_ ](?:length|window)|prompt is too long|too many (?:input )?tokens|maximum context|input (?:is )?too (?:long|large)|request[_ ]too[_ ]large|reduce the length|exceeds? (?:the )?(?:model's )?(?:maximum|context)/i;
const closed: RegExp =
  /ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_STREAM_PREMATURE_CLOSE|premature|terminated|socket hang up|other side closed|stream ended|closed (?:before|early|unexpectedly)|without (?:sending|receiving)/i;
const connection: RegExp =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|CERT_|certificate|fetch failed|failed to fetch|network ?error|connection error|APIConnectionError|load failed/i;
const overloaded: RegExp =
  /overloaded|rate[_ ]limit|server[_ ]error|api_error|service[_ ]unavailable|internal[_ ]error|at capacity|try again later/i;
const timedOut: RegExp = /ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT|TimeoutError|timed? ?out/i;
const notJson: RegExp = /is not valid JSON|Unexpected (?:token|end of JSON)|JSON\.parse|Could not parse|not JSON/i;

/** Classifies what a summarizer threw, by status, code, name and message, through the chain of causes. */
export function classifyError(error: unknown): Failure {
  const links = causes(error);
  for (const link of links) {
    if (!PalimpsestError.is(link)) continue;
    const { class: named, reason, closedStream } = link.details;
    if (typeof named === 'string' && classes.has(named))
      return failure(
        named as FailureClass,
        typeof reason === 'string' ? reason : describe(links),
        links,
        named === 'network' && closedStream === true,
      );
  }
  const status = statusOf(links);
  const reason = describe(links);
  const as = (name: FailureClass, closedStream = false): Failure => failure(name, reason, links, closedStream);
  if (matches(links, quota) && (status === undefined || status < 500)) return as('access');
  if (status !== undefined) {
    if (accessStatuses.has(status)) return as('access');
    if (status === 404) return as('missing-model');
    if (status === 413) return as('overflow');
    if (transientStatuses.has(status) || status >= 500) return as('transient');
    if (matches(links, tooLong)) return as('overflow');
    if (matches(links, noModel)) return as('missing-model');
    if (matches(links, badKey)) return as('access');
    if (status >= 400) return as('unknown');
  }
  if (links.some((link) => link instanceof SyntaxError) || matches(links, notJson)) return as('bad-output');
  if (matches(links, closed)) return as('network', true);
  if (matches(links, timedOut) || matches(links, overloaded)) return as('transient');
  if (matches(links, connection)) return as('network');
  if (matches(links, tooLong)) return as('overflow');
  if (matches(links, noModel)) return as('missing-model');
  if (matches(links, badKey)) return as('access');
  return as('unknown');
}

/** A failure found by our own code, such as an answer that cannot be used. */
export function ownFailure(name: FailureClass, reason: string): Failure {
  return { class: name, reason, closedStream: false, retryAfterMs: 0 };
}

function failure(name: FailureClass, reason: string, links: readonly unknown[], closedStream: boolean): Failure {
  return { class: name, reason, closedStream, retryAfterMs: retryAfter(links), status: statusOf(links) };
}

function causes(error: unknown): unknown[] {
  const links: unknown[] = [];
  for (let link = error; link !== null && link !== undefined && links.length < 6; link = field(link, 'cause'))
    links.push(link);
  return links;
}

function statusOf(links: readonly unknown[]): number | undefined {
  for (const link of links)
    for (const value of [field(link, 'status'), field(link, 'statusCode'), field(field(link, 'details'), 'status')])
      if (typeof value === 'number' && value >= 100 && value < 600) return value;
  return undefined;
}

/** Names, codes and messages of the links, for matching only; never shown. */
function matches(links: readonly unknown[], shape: RegExp): boolean {
  return links.some((link) =>
    ['name', 'code', 'type', 'message'].some((name) => {
      const value = field(link, name);
      return typeof value === 'string' && shape.test(value.slice(0, 4_000));
    }),
  );
}

function describe(links: readonly unknown[]): string {
  const status = statusOf(links);
  const code = links
    .flatMap((link) => [field(link, 'code'), field(link, 'type')])
    .find((value): value is string => typeof value === 'string' && /^[A-Za-z][A-Za-z_.-]{1,48}$/.test(value));
  const parts = [status === undefined ? '' : `status ${status}`, code && code !== 'SUMMARIZER_FAILED' ? code : ''];
  return parts.filter(Boolean).join(', ') || 'no further detail';
}

function retryAfter(links: readonly unknown[]): number {
  for (const link of links) {
    const own = field(field(link, 'details'), 'retryAfterMs') ?? field(link, 'retryAfterMs');
    if (typeof own === 'number' && own > 0) return own;
    const headers = field(link, 'headers');
    const value = headers instanceof Headers ? headers.get('retry-after') : field(headers, 'retry-after');
    const seconds = Number(value);
    if (value !== null && value !== undefined && value !== '' && seconds > 0) return seconds * 1000;
  }
  return 0;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
