import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';

/** `palimpsest mcp`: an MCP server on standard input and output. */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .summary('let an agent search its own sessions, as an MCP server')
    .description(
      'Serve the tools list_sessions, recall and expand on standard input and output. They search the sessions that Claude Code ' +
        'and Codex store in the home folder, and the conversations of every running palimpsest run or palimpsest proxy.',
    )
    .addHelpText(
      'after',
      `
Examples:
  claude mcp add palimpsest -- npx palimpsest mcp
  codex mcp add palimpsest -- npx palimpsest mcp`,
    )
    .action(async () => {
      // Loaded here, so that the other commands start faster.
      const [{ StdioServerTransport }, { recallServer }, { sessionLibrary }] = await Promise.all([
        import('@modelcontextprotocol/sdk/server/stdio.js'),
        import('../mcp/recall-server.ts'),
        import('../mcp/session-library.ts'),
      ]);
      await recallServer(sessionLibrary(terminal), program.version() ?? '').connect(new StdioServerTransport());
    });
}
