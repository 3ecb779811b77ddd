/** Matches program output: logs, traces, errors, hints such as `(use "git add" to ...)`, listings, shell prompts, data. */
const programOutput: RegExp =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|\d+\s?[:|]\s|[$%]\s|at \S+ ?[(:]|File "|Traceback\b|Caused by|fatal: |panic: |npm (?:err|warn)|[\w.]*(?:error|exception|warning|warn|err)!? ?(?:\[[^\]]*\])? ?: ?|[|+-]{2,}|["'][\w-]+["']\s*:|[\]}]|[{[]\s*(?:$|["{[\d])|\S+\.\w{1,5}:\d+|hint: |\(\w{1,20} "[^"\n]{1,80}"[^()\n]{0,200}\)(?:\s|$))/i;

/** Matches a line that is only a tag around quoted text. A self-closing tag encloses nothing. */
const quotingLine: RegExp =
  /^<\/?([\w-]{0,40}(?:description|issue|document|file|output|log|trace|error|diff|code|example|content|result|transcript|source|quote)s?)[^<>]{0,400}(?<!\/)>$/i;

/** Removes a tag at the start and a closing tag at the end of a line. */
export function withoutOuterTags(line: string): string {
  return line.includes('<') ? line.replace(/^\s*<\/?[A-Za-z][\w-]{0,40}>|<\/[A-Za-z][\w-]{0,40}>\s*$/g, '') : line;
}

/** True for a line that a program wrote. */
export function isProgramOutput(line: string): boolean {
  return programOutput.test(line);
}

/**
 * Returns the tag's name if a line is only a tag that opens or closes a quotation, such as `<log>`; otherwise `null`.
 */
export function quotingTag(line: string): string | null {
  return quotingLine.exec(line.trim())?.[1]?.toLowerCase() ?? null;
}
