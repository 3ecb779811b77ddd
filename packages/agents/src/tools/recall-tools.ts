/** The tools of `@palimpsest/recall`. Their results quote the conversation itself, and can be had again. */
export const recallToolNames = ['recall', 'expand'] as const;

/** The name of a recall tool. */
export type RecallToolName = (typeof recallToolNames)[number];

/** The name that an MCP client puts before our tools, as in `mcp__palimpsest__recall`. */
const server: RegExp = /^(?:mcp__)?palimpsest(?:__|[./:])/;

/** True for the name of a recall tool, also behind the prefix of an MCP client. */
export function isRecallTool(name: string): boolean {
  return (recallToolNames as readonly string[]).includes(name.replace(server, ''));
}
