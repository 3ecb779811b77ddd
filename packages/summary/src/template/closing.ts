/** Separates a summary from the closing line of an engine. */
const separator = '\n\n---\n\n';

/** Adds a closing line that is not part of the summary and is not carried over to the next one. */
export function withClosing(body: string, closing: string | undefined): string {
  return closing ? `${body}${separator}${closing}` : body;
}

/** The summary without its closing line, if it has one. */
export function withoutClosing(body: string): string {
  const at = body.lastIndexOf(separator);
  return at === -1 || body.includes('\n', at + separator.length) ? body : body.slice(0, at);
}
