import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { recallTools } from '@palimpsest/recall';
import { redact } from '@palimpsest/redactor';
import type { SessionLibrary } from './session-library.ts';

const session = {
  type: 'string',
  description:
    'A part of the name of the session, from list_sessions. Default: the session of the last call, at first the newest.',
};

const descriptions: Readonly<Record<string, string>> = {
  recall:
    'Search a session of a coding agent, also what was compacted: tool results, written files, messages. Use names, paths, commands, error words. Returns short quotes with a ref for each.',
  expand: 'Show the full text behind a ref from recall, page by page, by lines or around a pattern.',
};

const listSessions: Tool = {
  name: 'list_sessions',
  description:
    'List the sessions of coding agents on this machine, newest first: those of Claude Code and Codex, and those behind a running proxy.',
  inputSchema: {
    type: 'object',
    properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 } },
  },
};

const tools: readonly Tool[] = [
  listSessions,
  ...recallTools.map(({ function: { name, parameters } }) => {
    const { properties, ...schema } = parameters as { properties: object; type: 'object' };
    const inputSchema = { ...schema, properties: { ...properties, session } };
    return { name, description: descriptions[name]!, inputSchema } as Tool;
  }),
];

/**
 * Creates an MCP server that searches sessions of coding agents. It only reads. Secrets are masked, because a session may
 * belong to another project: in the messages before they are searched, and again in each answer, whose parts come from several
 * messages.
 */
export function recallServer(library: SessionLibrary, version: string): Server {
  const server = new Server({ name: 'palimpsest', version }, { capabilities: { tools: {} } });
  let last: string | undefined;
  const answer = async (name: string, given: Readonly<Record<string, unknown>>): Promise<string> => {
    if (name === listSessions.name) return (await library.list(limitOf(given.limit))).join('\n');
    const { session: wanted, ...input } = given;
    const { name: opened, recall } = await library.open(
      typeof wanted === 'string' && wanted !== '' ? wanted : undefined,
      last,
    );
    last = opened;
    return `Session: ${opened}\n${await recall.callTool(name, input)}`;
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    try {
      return { content: [{ type: 'text', text: redact(await answer(name, given), { boundary: true }) }] };
    } catch (error) {
      // Returned, not thrown: the model has to read it.
      const text = error instanceof Error ? error.message : 'The call failed.';
      return { isError: true, content: [{ type: 'text', text: redact(text) }] };
    }
  });
  return server;
}

function limitOf(given: unknown): number {
  return typeof given === 'number' && given >= 1 ? Math.min(100, Math.floor(given)) : 10;
}
