import type { Message } from '../messages/message.ts';

export interface ToolSchema {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string | undefined;
    readonly parameters?: Record<string, unknown> | undefined;
  };
}

/** Tools an engine offers to the agent. `S` is the planner's state. */
export interface EngineTools<S = unknown> {
  readonly schemas: readonly ToolSchema[];
  /** Answers a call with a JSON string. */
  handle(name: string, input: Record<string, unknown>, context: EngineToolContext<S>): Promise<string>;
}

export interface ToolCallContext {
  readonly messages: readonly Message[];
  readonly signal?: AbortSignal | undefined;
}

/** Context of a tool call: what the host passes, and the planner's state. */
export interface EngineToolContext<S> extends ToolCallContext {
  /** The state of the last plan that was applied, or the initial state. Read-only: only a plan changes it. */
  readonly state: S;
}
