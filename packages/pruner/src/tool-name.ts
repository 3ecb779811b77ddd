/** A tool name taken apart: `mcp__files__read_file` is `read_file` of the server `files`. */
export interface ToolName {
  /** The name as it was called. */
  readonly called: string;
  /** The tool alone in snake case, without server or namespace: `MultiEdit` and `functions.multi_edit` are `multi_edit`. */
  readonly tool: string;
  /** What stands before the tool's own name, `''` for a tool of the agent itself. */
  readonly server: string;
}

/** Names read before: an agent has a few dozen tools and calls them thousands of times. */
const known = new Map<string, ToolName>();
const knownAtMost = 1_000;

/** Reads a tool name. Servers stand before a double underscore (MCP), namespaces before a dot or a slash. */
export function readToolName(called: string): ToolName {
  const before = known.get(called);
  if (before) return before;
  const mark = called.lastIndexOf('__');
  const start = Math.max(mark < 0 ? 0 : mark + 2, called.lastIndexOf('.') + 1, called.lastIndexOf('/') + 1);
  const tool = (called.slice(start) || called)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  const name = { called, tool, server: called.slice(0, start) };
  if (known.size < knownAtMost) known.set(called, name);
  return name;
}

/**
 * Makes a matcher of names and globs (`*` stands for any characters). A pattern is compared with the name as called and
 * with the tool's own name, so that `todo` also finds `mcp__planner__todo`.
 */
export function nameMatcher(patterns: readonly string[]): (name: ToolName) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
  const globs = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  return ({ called, tool }) =>
    exact.has(called) || exact.has(tool) || globs.some((pieces) => fits(called, pieces) || fits(tool, pieces));
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
