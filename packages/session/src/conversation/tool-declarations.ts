import type { ToolSchema } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';

/** A tool as a request declares it. */
export interface Declaration {
  readonly name: string;
  readonly description: unknown;
}

/** The tools in one declaration of OpenAI, Anthropic or Gemini. A declaration of Gemini may contain several. */
export function declarationsIn(tool: unknown): readonly Declaration[] {
  if (!isRecord(tool)) return [];
  const { functionDeclarations } = tool;
  if (Array.isArray(functionDeclarations)) return functionDeclarations.flatMap(declarationsIn);
  const { name, description } = isRecord(tool.function) ? tool.function : tool;
  return typeof name === 'string' ? [{ name, description }] : [];
}

/** True for a declaration of exactly this tool, in any format. */
export function isSameTool({ function: own }: ToolSchema, { description }: Declaration): boolean {
  return (own.description ?? '') === (description ?? '');
}

/** True if a request declares all of these tools. */
export function declaresAll(tools: readonly unknown[] | undefined, wanted: readonly ToolSchema[]): boolean {
  const declared = (tools ?? []).flatMap(declarationsIn);
  return wanted.every((own) => declared.some((given) => given.name === own.function.name && isSameTool(own, given)));
}
