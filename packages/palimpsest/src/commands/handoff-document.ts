import { agentReader } from '@palimpsest/agents';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import { type Message, readAnyHandoff } from '@palimpsest/core';
import type { Engines } from '@palimpsest/eval/engines/engines';
import { redactText } from '@palimpsest/eval/inputs/redact-input';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { wholeText } from '../comparison/page/message-text.ts';
import { type EngineRunOptions, runEngine } from '../measuring/run-engine.ts';

/** Window of the engine: any session is compacted to its target, not to a share of the window. */
const windowTokens = 1_000_000;
/** Maximum length of one of the last messages, in characters. */
const maxMessageLength = 4_000;

const opening = `This is the handoff of a session of another agent. Continue its work. Files may have changed since: check before you change
them, and do not do again what is done.`;

/**
 * A session as one page of Markdown: the handoff that an engine writes, and the messages that it keeps. Secrets are masked.
 * @param options `targetTokens`: the size of the page
 * @throws {CliError} if the engine fails
 */
export async function handoffDocument(
  sample: Sample,
  engines: Engines,
  options: EngineRunOptions & { readonly targetTokens: number },
): Promise<string> {
  const { row, result } = await runEngine(engines, engines.names[0]!, sample, {
    ...options,
    windowTokens,
    force: true,
  });
  options.signal.throwIfAborted();
  if (!result || result.outcome === 'aborted')
    throw CliError.badInput(`the engine ${row.engine} failed: ${printable(row.reason, 300)}; try another --engine`);
  const messages = (result.messages as readonly Message[]).filter(({ role }) => role !== 'system');
  const sections = messages.map(toSection).filter((section) => section !== '');
  return `${[`# Handoff of ${redactText(printable(sample.found.id, 200))}`, opening, ...sections].join('\n\n')}\n`;
}

function toSection(message: Message): string {
  const handoff = readAnyHandoff(message, agentReader);
  const body = handoff ? redactText(handoff.body) : '';
  const own = handoff ? { ...message, content: handoff.rest } : message;
  const text = wholeText(own, redactText).trim();
  if (text === '') return body;
  const shown = redactText(text);
  const cut = shown.length > maxMessageLength ? `${shown.slice(0, maxMessageLength)}\n[cut]` : shown;
  const quoted = message.role === 'tool' ? fence(cut) : cut;
  return `${body === '' ? '' : `${body}\n\n`}## ${titles[message.role] ?? message.role}\n\n${quoted}`;
}

/** A text as a block of code, with more backticks than it has. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}

const titles: Readonly<Record<string, string>> = { user: 'User', assistant: 'Agent', tool: 'Result of a tool' };
