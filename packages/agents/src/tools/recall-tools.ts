/** Names of the tools of `@palimpsest/recall`. Their results quote the conversation and can be requested again. */
export const recallToolNames = ['recall', 'expand'] as const;

/** The name of a recall tool. */
export type RecallToolName = (typeof recallToolNames)[number];

/** Matches no prefix, or the one of an MCP client, as in `mcp__palimpsest__recall` and `palimpsest_recall`. */
const prefix: RegExp = /^(?:(?:mcp__)?palimpsest(?:__|[._/:]))?$/;

/** True for the name of a recall tool, with or without the prefix of an MCP client. */
export function isRecallTool(name: string): boolean {
  return recallToolNames.some((own) => name.endsWith(own) && prefix.test(name.slice(0, -own.length)));
}
