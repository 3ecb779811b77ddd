import type { ToolSchema } from '@palimpsest/core';

/** A tool as OpenAI's Responses API takes it. */
export interface ResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly parameters: Record<string, unknown>;
  /** False: the schemas have optional arguments. */
  readonly strict: false;
}

/** A tool as Anthropic's Messages API takes it. */
export interface AnthropicTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: { type: 'object'; [field: string]: unknown };
}

/** Writes a tool for Responses. */
export function responsesTool({ function: { name, description, parameters } }: ToolSchema): ResponsesTool {
  const own = { type: 'function', name, parameters: { type: 'object', ...parameters }, strict: false } as const;
  return description === undefined ? own : { ...own, description };
}

/** Writes a tool for Anthropic Messages. */
export function anthropicTool({ function: { name, description, parameters } }: ToolSchema): AnthropicTool {
  const own = { name, input_schema: { ...parameters, type: 'object' } } as const;
  return description === undefined ? own : { ...own, description };
}
