import type { ToolName } from '@palimpsest/core/tools';

/**
 * Makes a matcher of names and globs (`*` stands for any characters). A pattern is compared with the name as called and
 * with the tool's own name, so that `todo` also finds `mcp__planner__todo`.
 */
export function nameMatcher(patterns: readonly string[]): (name: ToolName) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const globs = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  return ({ called, tool }) => {
    if (exact.has(called) || exact.has(tool)) return true;
    // A function for `some` would be made for every message.
    for (const pieces of globs) if (fits(called, pieces) || fits(tool, pieces)) return true;
    return false;
  };
}

/** Greedy glob match: every piece in order, the first at the start, the last at the end. Linear, unlike a regular expression. */
function fits(name: string, pieces: readonly string[]): boolean {
  const last = pieces.at(-1)!;
  if (!name.startsWith(pieces[0]!) || !name.endsWith(last)) return false;
  let at = pieces[0]!.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}
