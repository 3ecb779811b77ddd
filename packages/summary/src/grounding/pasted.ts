/** Lines that programs write: logs, traces, errors, listings, prompts of a shell, data. */
const logged: RegExp =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|\d+\s?[:|]\s|[$%]\s|at \S+ ?[(:]|File "|Traceback\b|Caused by|fatal: |panic: |npm (?:err|warn)|[\w.]*(?:error|exception|warning|warn|err)!? ?(?:\[[^\]]*\])? ?: ?|[|+-]{2,}|["'][\w-]+["']\s*:|[\]}]|[{[]\s*(?:$|["{[\d])|\S+\.\w{1,5}:\d+)/i;

/** A tag on a line of its own around what somebody else wrote; one that closes itself is around nothing. */
const quoting: RegExp =
  /^<\/?([\w-]{0,40}(?:description|issue|document|file|output|log|trace|error|diff|code|example|content|result|transcript|source|quote)s?)[^<>]{0,400}(?<!\/)>$/i;

/** A line without the tags at its ends. */
export function untagged(line: string): string {
  return line.includes('<') ? line.replace(/^\s*<\/?[A-Za-z][\w-]{0,40}>|<\/[A-Za-z][\w-]{0,40}>\s*$/g, '') : line;
}

/** True for a line that a program wrote. */
export function isLogged(line: string): boolean {
  return logged.test(line);
}

/** The name of the tag that opens or closes something quoted, when that is all there is in a line. */
export function quotingTag(line: string): string | null {
  return quoting.exec(line.trim())?.[1]?.toLowerCase() ?? null;
}
