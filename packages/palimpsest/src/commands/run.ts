import { count, formatCount } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';
import { agentStart, knownPrograms } from '../agents/agent-start.ts';
import { runAgent } from '../agents/run-agent.ts';
import { dollars } from '../comparison/dollars.ts';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import { listening } from './proxy.ts';
import { type ProxyFlags, proxyOptions, proxySettings, writerWords } from './proxy-flags.ts';

/** `palimpsest run`: runs an agent behind a proxy of its own. */
export function addRun(program: Command, terminal: Terminal): void {
  proxyOptions(
    program
      .command('run')
      .summary('run an agent inside its context window: claude, codex, gemini, opencode, or another')
      .description(
        'Start a proxy on a free port, run an agent with it, and print at the end what was compacted. The first line has the\n' +
          `address of the status page. Known agents: ${knownPrograms.join(', ')}.\n` +
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
  palimpsest run --dry-run -- opencode`,
    )
    .action(async ([name, ...arguments_]: readonly [string, ...string[]], flags: ProxyFlags) => {
      const settings = agentStart(name, terminal);
      const proxy = await listening({
        ...(await proxySettings({ ...settings.upstreams, ...flags }, terminal)),
        port: 0,
      });
      terminal.err(
        `palimpsest: status on ${proxy.url} (engine ${printable(proxy.engine, 60)}; ${writerWords(flags)})\n`,
      );
      try {
        const exitCode = await runAgent({ program: name, settings, arguments: arguments_ }, proxy.url, terminal);
        const lines = [...proxy.problems.summary, closingLine(proxy.conversations, flags.dryRun ?? false)];
        for (const line of lines) terminal.err(`palimpsest: ${line}\n`);
        terminal.fail(exitCode);
      } finally {
        await proxy.close();
      }
    });
}

function closingLine(conversations: readonly ConversationStats[], isDryRun: boolean): string {
  const sum = (of: (stats: ConversationStats) => number): number =>
    conversations.reduce((total, stats) => total + of(stats), 0);
  const requests = sum((stats) => stats.requests);
  if (requests === 0)
    return 'no conversation came through the proxy. If the agent got answers, it did not use the address of the proxy: check for a base URL in its own settings, and for a login instead of an API key; see "Run an agent" in the documentation';
  const compactions = formatCount(
    sum((stats) => stats.compactions.length),
    'compaction',
  );
  const [sent, saved] = [sum((stats) => stats.sentTokens), sum((stats) => stats.savedTokens)];
  const would = isDryRun ? ' would have been sent' : '';
  const tokens = `${count(sent)} prompt tokens${would}${saved > 0 ? ` instead of ${count(sent + saved)}` : ''}`;
  return `${compactions} in ${formatCount(requests, 'request')}; ${tokens}${isDryRun ? '' : costs(conversations)}`;
}

/** What the conversations cost, and would have cost. Unknown if a model has no list price, or a provider reports no usage. */
function costs(conversations: readonly ConversationStats[]): string {
  const known = conversations.flatMap(({ cost }) => cost ?? []);
  if (known.length < conversations.length) return ', cost unknown';
  const [paid, uncompacted] = (['paid', 'uncompacted'] as const).map((name) =>
    dollars(known.reduce((total, cost) => total + cost[name], 0)),
  );
  return paid === uncompacted ? `, ${paid} at list prices` : `, ${paid} instead of ${uncompacted} at list prices`;
}
