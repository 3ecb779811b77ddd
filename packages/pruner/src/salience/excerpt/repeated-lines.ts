/** Matches progress lines such as `checking for gcc... yes`. One line represents a series. */
const progress = /^(\w{2,20}ing)\b.{0,200}\.{3}/;

/** Collapses consecutive repeated lines into the last one, marked `(repeated)`. */
export function withoutRepeats(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let kind: string | null = null;
  for (const line of lines) {
    const now = progress.exec(line)?.[1] ?? line;
    if (now === kind) kept[kept.length - 1] = `${line} (repeated)`;
    else kept.push(line);
    kind = now;
  }
  return kept;
}
