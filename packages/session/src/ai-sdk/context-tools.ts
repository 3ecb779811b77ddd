import { jsonSchema, type ToolSet, tool } from 'ai';
import type { Session } from '../session.ts';

/**
 * The tools of `session.tools()` for the AI SDK, with the functions that answer them. Pass them to `generateText`,
 * `streamText` or an agent together with your own tools, and to `contextStep`.
 *
 * @example
 * const tools = { ...myTools, ...(await contextTools(session)) };
 * await generateText({ model, tools, messages, prepareStep: contextStep(session, { tools }) });
 */
export async function contextTools(session: Pick<Session, 'tools' | 'callTool'>): Promise<ToolSet> {
  const schemas = await session.tools();
  return Object.fromEntries(
    schemas.map(({ function: { name, description, parameters = { type: 'object' } } }) => [
      name,
      tool({
        ...(description === undefined ? {} : { description }),
        inputSchema: jsonSchema<Record<string, unknown>>(parameters as Parameters<typeof jsonSchema>[0]),
        execute: (input: Record<string, unknown>, { abortSignal }) =>
          session.callTool(name, input, abortSignal ? { signal: abortSignal } : {}),
      }),
    ]),
  );
}
