import type { Workspace } from '../workspace.ts';

/** The result of a tool: `text` is what the agent sees, `ok` tells whether the tool succeeded. */
export interface ToolResult {
  readonly text: string;
  readonly ok: boolean;
  /** For commands only; null if the command was killed at its timeout. */
  readonly exitCode?: number | null;
}

/** A tool that the agent of a scenario may call. It works on real files, in the workspace of the session. */
export interface Tool<Arguments extends object = never> {
  readonly description: string;
  /** A JSON Schema of the arguments. */
  readonly parameters: object;
  run(input: Arguments, workspace: Workspace): Promise<ToolResult>;
}

/** Returns the JSON Schema of an object with these properties. */
export function parameters(properties: Record<string, object>, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Returns the result of a tool that failed, for example because a file does not exist. */
export function failure(text: string): ToolResult {
  return { text: `Error: ${text}`, ok: false };
}
