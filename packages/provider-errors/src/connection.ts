import type { ErrorFacts } from './read-error.ts';

const closed: RegExp =
  /econnreset|epipe|und_err_socket|err_stream_premature_close|premature|\bterminated\b|socket hang up|socket closed|other side closed|stream ended|closed (?:before|early|unexpectedly|connection)|connection (?:was |has been )?(?:closed|reset|lost|aborted)|without (?:sending|receiving)|server disconnected|network connection lost|unexpected eof|incomplete chunked read|remoteprotocolerror/;
const timedOut: RegExp =
  /etimedout|esockettimedout|und_err_\w{1,12}_timeout|timeouterror|timed? ?out|deadline exceeded/;
const connection: RegExp =
  /econnre|enotfound|eai_again|ehostunreach|enetunreach|enetdown|und_err|cert_|certificate|fetch failed|failed to fetch|network ?error|connection error|apiconnection|load failed/;

/** How the connection failed; `null` when the error does not mention a connection. */
export function connectionIn({ text, codes }: ErrorFacts): 'closed' | 'timeout' | 'unreachable' | null {
  const words = `${[...codes].join('\n')}\n${text}`;
  if (closed.test(words)) return 'closed';
  if (timedOut.test(words)) return 'timeout';
  return connection.test(words) ? 'unreachable' : null;
}
