import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';
import { agentStart, knownPrograms } from '../agents/agent-start.ts';
import { runAgent } from '../agents/run-agent.ts';
import { closingLine } from './closing-line.ts';
import { listening } from './proxy.ts';
import { addProxyOptions, type ProxyFlags, proxySettings, writerWords } from './proxy-flags.ts';

/** `palimpsest run`: runs an agent behind its own proxy. */
export function addRun(program: Command, terminal: Terminal): void {
  addProxyOptions(
    program
      .command('run')
      .summary('run an agent inside its context window: claude, codex, gemini, opencode, or another')
      .description(
        'Start a proxy on a free port, run an agent with it, and print at the end what was compacted. The first line has the\n' +
          `address of the live view. Known agents: ${knownPrograms.join(', ')}.\n` +
          'Others get OPENAI_BASE_URL, ANTHROPIC_BASE_URL and GOOGLE_GEMINI_BASE_URL, and the same for Vertex.',
      )
      .argument('<agent...>', 'the agent and its arguments')
      .passThroughOptions(),
  )
    .addHelpText(
      'after',
      `
Examples:
  palimpsest run -- claude
  palimpsest run --window 64k -- codex "fix the failing test"
  palimpsest run --observe -- opencode`,
    )
    .action(async ([name, ...arguments_]: readonly [string, ...string[]], flags: ProxyFlags) => {
      const settings = agentStart(name, terminal);
      const options = await proxySettings({ ...settings.upstreams, ...flags }, terminal);
      try {
        const proxy = await listening({ ...options, port: 0 });
        terminal.err(
          `palimpsest: live view on ${proxy.url} (engine ${printable(proxy.engine, 60)}; ${writerWords(flags)})\n`,
        );
        try {
          const exitCode = await runAgent({ program: name, settings, arguments: arguments_ }, proxy.url, terminal);
          const lines = [...proxy.problems.summary, closingLine(proxy.conversations, flags.observe ?? false)];
          for (const line of lines) terminal.err(`palimpsest: ${line}\n`);
          terminal.fail(exitCode);
        } finally {
          await proxy.close();
        }
      } finally {
        await options.store?.close();
      }
    });
}
