/** Stands between a summary and a line an engine puts behind it. */
const rule = '\n\n---\n\n';

/** The summary with a line behind it that is no part of it and is not carried on. */
export function withClosing(body: string, closing: string | undefined): string {
  return closing ? `${body}${rule}${closing}` : body;
}

/** The summary without the closing line it may end with. */
export function withoutClosing(body: string): string {
  const at = body.lastIndexOf(rule);
  return at === -1 || body.includes('\n', at + rule.length) ? body : body.slice(0, at);
}
