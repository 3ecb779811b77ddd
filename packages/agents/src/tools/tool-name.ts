import { memoizeByName } from './memoize-by-name.ts';

/** The parts of a tool name: `mcp__files__read_file` is the tool `read_file` of the server `files`. */
export interface ToolName {
  /** The name as it was called. */
  readonly called: string;
  /** The tool alone in snake case, without server or namespace: `MultiEdit` and `functions.multi_edit` are `multi_edit`. */
  readonly tool: string;
  /** The server or namespace before the tool's own name; `''` for a tool of the agent itself. */
  readonly server: string;
}

/** Reads a tool name. A server ends with a double underscore (MCP), a namespace with a dot or a slash. */
export const readToolName: (called: string) => ToolName = /* @__PURE__ */ memoizeByName((called) => {
  const server = /^.*(?:__|[./])/s.exec(called)?.[0] ?? '';
  const tool = (called.slice(server.length) || called)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\W_]+/g, '_')
    .toLowerCase();
  return { called, tool, server };
});
