import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { configHelp } from '@palimpsest/eval/engines/engine-options';
import { parseTokens } from '@palimpsest/eval/engines/parse-tokens';
import { projectEngine } from '@palimpsest/eval/engines/project-config';
import { chooseSummarizer } from '@palimpsest/eval/engines/summarizer-choice';
import type { HomeSessions } from '@palimpsest/eval/inputs/home-sessions';
import { measureSample } from '@palimpsest/eval/inputs/sample';
import { keepOriginal } from '@palimpsest/eval/output/keep-original';
import { type Command, Option } from 'commander';
import { runAgent } from '../agents/run-agent.ts';
import { findSession } from './find-session.ts';
import { handoffDocument } from './handoff-document.ts';
import { openOutput } from './output.ts';

/** The arguments before a first prompt, by the name of the agent's program. */
const promptArguments: Readonly<Record<string, readonly string[]>> = {
  claude: [],
  codex: [],
  opencode: ['--prompt'],
  pi: [],
};

const usualTokens = 8_000;

interface HandoffFlags extends Pick<HomeSessions, 'claudeCode' | 'codex'> {
  readonly to?: string;
  readonly out?: string;
  readonly budget: number;
  readonly focus?: string;
  readonly summarizer: string;
  readonly engine?: string;
  readonly config?: string;
}

/** `palimpsest handoff`: a recorded session as one page, for another agent or a person. */
export function addHandoff(program: Command, terminal: Terminal): void {
  program
    .command('handoff')
    .summary('write what another agent needs to continue a session')
    .description(
      'Write a recorded session as one page of Markdown: the task, what was done, decided and found, and the last messages. Secrets are masked. With --to, start another agent with it, such as when the first one has reached a limit.',
    )
    .argument(
      '[session]',
      'a file, - for standard input, or a part of the name of a session (default: the newest session)',
    )
    .addOption(
      new Option('--to <agent>', 'start this agent with the page as its first prompt').choices(
        Object.keys(promptArguments),
      ),
    )
    .option('--claude-code', 'take the session from those of Claude Code')
    .option('--codex', 'take the session from those of Codex')
    .option('--budget <tokens>', 'the size of the page, such as 8k', parseTokens, usualTokens)
    .option('--focus <topic>', 'what to keep in detail')
    .option('--summarizer <writer>', 'extractive, openai:MODEL or anthropic:MODEL', 'extractive')
    .option('--engine <name>', 'the engine, by name or path (default: the configured one, or compressor)')
    .option('--config <file>', configHelp)
    .addOption(new Option('--out <file>', 'output file (default: standard output)').conflicts('to'))
    .addHelpText(
      'after',
      `
Examples:
  palimpsest handoff
  palimpsest handoff --claude-code --to codex
  palimpsest handoff session.jsonl --summarizer openai:gpt-5 --out handoff.md`,
    )
    .action((session: string | undefined, flags: HandoffFlags) => handoff(session, flags, terminal));
}

async function handoff(session: string | undefined, flags: HandoffFlags, terminal: Terminal): Promise<void> {
  const engines = await projectEngine(flags, terminal);
  const { input, found } = await findSession(session, flags, terminal);
  const page = await handoffDocument(measureSample(found), engines, {
    summarizer: chooseSummarizer(flags.summarizer),
    targetTokens: flags.budget,
    focusTopic: flags.focus,
    signal: terminal.signal,
  });
  if (flags.to !== undefined) {
    terminal.err(`palimpsest: ${flags.to} continues ${printable(found.id, 100)}\n`);
    const arguments_ = [...promptArguments[flags.to]!, page];
    terminal.fail(await runAgent({ program: flags.to, settings: {}, arguments: arguments_ }, '', terminal));
    return;
  }
  const output = openOutput(flags.out, terminal);
  try {
    await keepOriginal(input, output.path, '--out');
    output.write(page);
    output.commit();
  } finally {
    output.discard();
  }
}
