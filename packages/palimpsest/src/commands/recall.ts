import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { parseCount } from '@palimpsest/eval/engines/parse-count';
import type { HomeSessions } from '@palimpsest/eval/inputs/home-sessions';
import type { Command } from 'commander';
import type { OpenSession } from '../live-sessions/searchable.ts';
import { sessionsOf } from './recall-sessions.ts';

interface RecallFlags extends HomeSessions {
  readonly limit: number;
  readonly json?: boolean;
}

/** `palimpsest recall`: the search of `palimpsest mcp`, for a person. */
export function addRecall(program: Command, terminal: Terminal): void {
  program
    .command('recall')
    .summary('find a message of a session, also one that was compacted away')
    .description(
      'Search a session for names, paths or words, and print the best hits with the numbers of their messages. It searches the ' +
        'sessions that Claude Code and Codex store in the home folder, the conversations of every running palimpsest run or ' +
        'palimpsest proxy, and files.',
    )
    .argument('<words>', 'what to search for: a few exact names, paths or words')
    .argument(
      '[session]',
      'a file, - for standard input, or a part of the name of a session (default: the newest session)',
    )
    .option('--claude-code', 'search the recorded sessions of Claude Code, newest first')
    .option('--codex', 'search the recorded sessions of Codex, newest first')
    .option('--newest <count>', 'how many recorded sessions to search (default: all)', parseCount(9_999))
    .option('--limit <count>', 'how many hits to print for each session', parseCount(9_999), 4)
    .option('--json', 'print one JSON document; it counts messages from 0, the text from 1')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest recall "staging password"
  palimpsest recall "TypeError userStore" session.json
  palimpsest recall src/config.ts --claude-code --newest 5`,
    )
    .action(async (words: string, session: string | undefined, flags: RecallFlags) => {
      // Loaded here, so that the other commands start faster.
      const [{ jsonReport }, { redact }] = await Promise.all([
        import('./json-report.ts'),
        import('@palimpsest/redactor'),
      ]);
      const searched: SearchedSession[] = [];
      for await (const open of sessionsOf(session, flags, terminal))
        searched.push(await search(open, words, flags.limit));
      if (flags.json) return terminal.out(jsonReport({ sessions: searched }));
      const texts = searched.filter(({ hits }) => hits.length > 0).map(hitsText);
      terminal.out(redact(texts.join('\n'), { boundary: true }));
      if (texts.length === 0) terminal.err(`palimpsest: nothing matches "${printable(words, 100)}"\n`);
    });
}

/** A session as `recall --json` prints it. */
interface SearchedSession {
  readonly name: string;
  /** Number of its messages. */
  readonly messages: number;
  /** Best first. */
  readonly hits: readonly {
    /** Index of the message, from 0. The text output counts from 1. */
    readonly message: number;
    readonly tool: string;
    readonly head: string;
    /** Number of its first line, from 1. */
    readonly line: number;
    readonly text: string;
  }[];
}

async function search({ name, length, recall }: OpenSession, words: string, limit: number): Promise<SearchedSession> {
  const hits = withWords(await recall.search(words, limit), words);
  return {
    name,
    messages: length,
    hits: hits.map(({ at, tool, head, line, text }) => ({ message: at, tool, head, line, text })),
  };
}

/** Leaves out hits without any of the words, such as `PORT_9` for `PORT_7`, if there is one with a word. */
function withWords<H extends { readonly head: string; readonly text: string }>(
  hits: readonly H[],
  words: string,
): readonly H[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const exact = hits.filter(({ head, text }) => {
    const shown = `${head}\n${text}`.toLowerCase();
    return wanted.some((word) => shown.includes(word));
  });
  return exact.length > 0 ? exact : hits;
}

function hitsText({ name, messages, hits }: SearchedSession): string {
  const blocks = hits.map(({ message, head, line, text }, at) => {
    const lines = text.split('\n');
    const where = lines.length === 1 ? `line ${line}` : `lines ${line}-${line + lines.length - 1}`;
    return [
      `[${at + 1}] message ${message + 1} of ${messages}: ${printable(head, 240)}, ${where}`,
      ...lines.map((row, below) => `${line + below}| ${printable(row, 1000)}`),
    ].join('\n');
  });
  return `${printable(name)}\n${blocks.join('\n')}\n`;
}
