import { jsonSchema, type ToolSet, tool } from 'ai';
import { sessionTools } from '../adapter/session-tools.ts';
import type { Session } from '../session.ts';

/**
 * The tools of `session.tools()` for the AI SDK, with the functions that answer them. Pass them to `generateText`,
 * `streamText` or an agent together with your own tools.
 *
 * @example
 * const tools = { ...myTools, ...(await contextTools(session)) };
 * await generateText({ model, tools, messages, prepareStep: contextStep(session) });
 */
export async function contextTools(session: Pick<Session, 'tools' | 'callTool'>): Promise<ToolSet> {
  const tools = await sessionTools(session);
  return Object.fromEntries(
    tools.map(({ name, description, parameters, call }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Record<string, unknown>>(parameters),
        execute: (input: Record<string, unknown>, { abortSignal }) => call(input, abortSignal),
      }),
    ]),
  );
}
