import type { Workspace } from '../workspace.ts';

/** What a tool hands back: `text` is the result as the agent sees it, `ok` whether it did what it was asked. */
export interface ToolResult {
  readonly text: string;
  readonly ok: boolean;
  /** Commands only: null when killed for its time limit. */
  readonly exitCode?: number | null;
}

/** A tool an agent of a scenario may call. It really does what it says, in the session's workspace. */
export interface Tool<Arguments extends object = never> {
  readonly description: string;
  /** A JSON Schema of the arguments. */
  readonly parameters: object;
  run(given: Arguments, workspace: Workspace): Promise<ToolResult>;
}

/** The JSON Schema of an object with these properties. */
export function parameters(properties: Record<string, object>, required: readonly string[]): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A failure of the tool itself (no such file, nothing to replace), which is a result like any other. */
export function failure(text: string): ToolResult {
  return { text: `Error: ${text}`, ok: false };
}
