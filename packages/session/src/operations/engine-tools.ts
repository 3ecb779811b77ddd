import type { ContextEngine, ToolCallContext, ToolSchema } from '@palimpsest/core';
import { invalidOptions, parseRecord } from '@palimpsest/core/authoring';
import { compactTool } from '../compaction/compact-tool.ts';
import { declarationsIn, declaresAll, isSameTool } from '../conversation/tool-declarations.ts';
import { errorReason } from '../events/error-reason.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/**
 * Answers a call of one of the engine's tools with a JSON string. An invalid call does not throw: it is answered with
 * `{"error": "..."}`, because the model has to read it.
 * @param input the arguments, as an object or as the JSON text that a model wrote
 * @throws what the caller's signal was aborted with
 */
export async function answerToolCall(
  engine: Pick<ContextEngine, 'handleToolCall'>,
  name: string,
  input: string | Readonly<Record<string, unknown>>,
  context: ToolCallContext,
): Promise<string> {
  const given = typeof input === 'string' ? parseRecord(input.trim() === '' ? '{}' : input) : input;
  if (given === null) return JSON.stringify({ error: `The arguments of ${name} are not a JSON object.` });
  try {
    return await engine.handleToolCall(name, { ...given }, context);
  } catch (error) {
    if (context.signal?.aborted) throw error;
    return JSON.stringify({ error: `Context engine tool ${name} failed: ${errorReason(error)}` });
  }
}

/** The tools that the session offers to the model: its engine's, then its own. */
export function toolsToOffer(parts: SessionParts): readonly ToolSchema[] {
  return [...parts.engine.ready.toolSchemas(), ...ownTools(parts)];
}

/** The session's own tools. */
function ownTools({ options, recall }: SessionParts): readonly ToolSchema[] {
  return options.compactTool ? [...recall.tools, compactTool] : recall.tools;
}

/**
 * Rejects a request in which another tool has the name of a tool of the engine or the session, because calls of the two
 * look the same. Without the option, `recall` and `expand` are the host's names if the session's tools are not in the
 * request. Declarations from `session.tools()` are recognized in every wire format by their name and description.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function checkToolNames(parts: SessionParts, tools: readonly unknown[]): void {
  if (tools.length === 0) return;
  const { options, recall } = parts;
  const isFree = !options.isRecallGiven && !declaresAll(tools, recall.tools);
  const schemas = toolsToOffer(parts).filter((schema) => !(isFree && recall.tools.includes(schema)));
  if (schemas.length === 0) return;
  const unseen = new Map(schemas.map((schema) => [schema.function.name, schema]));
  const names = new Set(unseen.keys());
  const ofSession = new Set(ownTools(parts).map((schema) => schema.function.name));
  tools.forEach((tool, at) => {
    for (const declared of declarationsIn(tool)) {
      if (!names.has(declared.name)) continue;
      const own = unseen.get(declared.name);
      unseen.delete(declared.name);
      if (own && isSameTool(own, declared)) continue;
      const path = `tools[${at}]`;
      const owner = ofSession.has(declared.name) ? 'the session' : 'the context engine';
      const message = `"${declared.name}" is also the name of a tool of ${owner}. Rename your own tool.`;
      throw invalidOptions([{ path, message }], { owner: 'the request' });
    }
  });
}
