import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';

/** Width where there is no terminal. */
const pipeColumns = 100;

/** `palimpsest top`: the live view of all running proxies, in the terminal. */
export function addTop(program: Command, terminal: Terminal): void {
  program
    .command('top')
    .summary('watch running agents, and compact, undo, pause or search')
    .description(
      'Show the conversations of every palimpsest run and palimpsest proxy of this user: what the context holds, what left it, what was saved. In a pipe, print them once.',
    )
    .addHelpText(
      'after',
      `
Keys: c compact now, u undo the last compaction, p pause or resume, / search, up and down choose, q quit.
While paused, a conversation is not compacted until a request no longer fits the window.

Examples:
  palimpsest top
  palimpsest top | head`,
    )
    .action(async () => {
      if (process.platform === 'win32')
        throw CliError.badInput(
          'top finds proxies by Unix sockets, which Windows does not have; open the address of the proxy in a browser',
        );
      // Loaded here, so that the other commands start faster.
      const { readLiveViews } = await import('../live/terminal/proxies.ts');
      const { screen } = await import('../live/terminal/screen.ts');
      const { columns, colours, home, out } = terminal;
      if (columns === null || !process.stdin.isTTY) {
        const state = { view: await readLiveViews(home), selected: null, said: null, query: null };
        return out(screen(state, columns ?? pipeColumns, colours, false));
      }
      const { watch } = await import('../live/terminal/watch.ts');
      await watch(terminal, process.stdin, process.stdout);
    });
}
