import type { ToolName } from '@palimpsest/agents';

/**
 * Returns a matcher for names and globs, where `*` stands for any characters. Patterns are compared with the name as
 * called and with the tool's own name, so `todo` also matches `mcp__planner__todo`.
 */
export function nameMatcher(patterns: readonly string[]): (name: ToolName) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const globs = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  return ({ called, tool }) =>
    exact.has(called) || exact.has(tool) || globs.some((pieces) => matches(called, pieces) || matches(tool, pieces));
}

/** Matches a glob in linear time, unlike a regular expression: finds each piece in order, the last one at the end. */
function matches(name: string, pieces: readonly string[]): boolean {
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
