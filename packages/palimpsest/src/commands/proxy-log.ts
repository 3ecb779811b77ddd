import { count } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { compactionWords } from '../conversations/compaction-words.ts';
import type { ConversationStats } from '../conversations/conversation-stats.ts';
import type { ProxyEvent, ProxyObserver } from '../proxy/events/proxy-event.ts';

type Output = Pick<Terminal, 'out' | 'err'>;

/** The log of `palimpsest proxy`. It contains no text of a conversation and no key. */
export interface ProxyLog {
  /** @param greeting what a person reads */
  greet(greeting: string, fields: Readonly<Record<string, string>>): void;
  noteCompaction(stats: ConversationStats): void;
  problem(message: string): void;
  readonly observe: ProxyObserver;
  /** Writes a line for a person. */
  note(message: string): void;
}

/** Writes lines for a person: compactions and problems, on standard error. */
export function textLog({ out, err }: Output): ProxyLog {
  return {
    greet: out,
    noteCompaction: (stats) => err(`${compactionLine(stats)}\n`),
    problem: (message) => err(`palimpsest: ${printable(message, 400)}\n`),
    observe(event) {
      if (event.type === 'store-back') err('palimpsest: the store answers again\n');
    },
    note: (message) => err(`palimpsest: ${message}\n`),
  };
}

/**
 * Writes one JSON object a line, on standard output: `time`, `level`, `event`, and the fields of the event.
 * @param now returns the current time
 */
export function jsonLog({ out }: Output, now: () => Date = () => new Date()): ProxyLog {
  const write = (level: 'info' | 'warn', event: string, fields: object): void =>
    out(`${JSON.stringify({ time: now().toISOString(), level, event, ...fields }, withSixDigits)}\n`);
  return {
    greet: (_, fields) => write('info', 'started', fields),
    // `observe` has more.
    noteCompaction: () => undefined,
    problem: (message) => write('warn', 'problem', { message: printable(message, 400) }),
    observe: ({ type, ...fields }) => write(warnings.has(type) ? 'warn' : 'info', type, fields),
    note: (message) => write('info', 'note', { message }),
  };
}

const warnings: ReadonlySet<ProxyEvent['type']> = new Set(['refused', 'store-failed', 'summary-failed']);

/** Six digits are enough for milliseconds and dollars. */
function withSixDigits(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value;
}

function compactionLine({ agent, model, compactions }: ConversationStats): string {
  const last = compactions.at(-1)!;
  const { tokensBefore, tokensAfter } = last;
  return `${printable(agent, 30)}, ${printable(model, 40)}: ${count(tokensBefore)} -> ${count(tokensAfter)} tokens (${compactionWords(last)})`;
}
