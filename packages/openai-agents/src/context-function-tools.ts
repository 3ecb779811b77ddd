import { type FunctionTool, tool } from '@openai/agents';
import type { Session } from '@palimpsest/session';
import { sessionTools } from '@palimpsest/session/adapter';

/**
 * The tools of `session.tools()`, such as `recall` and `expand`, as function tools that the SDK runs. Add them to the tools
 * of an agent.
 *
 * @example
 * const agent = new Agent({ name: 'Coder', tools: [...myTools, ...(await contextFunctionTools(session))] });
 */
export async function contextFunctionTools(session: Pick<Session, 'tools' | 'callTool'>): Promise<FunctionTool[]> {
  const tools = await sessionTools(session);
  return tools.map(({ name, description, parameters, call }) =>
    tool({
      name,
      description,
      // The schemas have optional arguments, which the strict mode does not allow.
      strict: false,
      parameters: {
        properties: {},
        required: [],
        ...(parameters as Readonly<Record<string, unknown>>),
        type: 'object',
        additionalProperties: true,
      },
      execute: (input, _, details) => call(input, details?.signal),
    }),
  );
}
