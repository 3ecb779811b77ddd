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
/** A longer one is no name; a transcript can hold anything. Characters. */
const longestKnown = 100;

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
  if (known.size < knownAtMost && called.length <= longestKnown) known.set(called, name);
  return name;
}
