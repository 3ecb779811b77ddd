import { agentReader } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';
import { collapse, type OutputReading } from './output-reading.ts';

const beginning = 80;
/** Messages shorter than this must stand alone, since "yes" occurs in any text. */
const short = 24;

/** Returns the first 80 characters of every message that a person wrote, without duplicates. */
export function userLog(messages: readonly Message[]): string[] {
  const log = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'user') continue;
    const { said } = agentReader.separateSpeech(message);
    const text = said === null ? '' : collapse(contentText(said.content)).slice(0, beginning).trim();
    if (/[\p{L}\p{N}]/u.test(text)) log.add(text);
  }
  return [...log];
}

/** Returns the messages whose beginning an output still has. */
export const messagesIn = (log: readonly string[], { text, shortLines }: OutputReading): string[] =>
  log.filter((beginning) =>
    beginning.length >= short ? text.includes(beginning) : shortLines.has(beginning) || standsAlone(beginning, text),
  );

/** Returns true if a text is between quotes, list marks, colons or the ends of a message. */
function standsAlone(part: string, text: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const before = text.slice(Math.max(0, at - 3), at);
    const after = text.slice(at + part.length, at + part.length + 3);
    if (/(?:^|\n|["'“「\])>:.-]) ?$/.test(before) && /^(?:$|\n|["'”」.]| ?[-(\d#–—→]| {1,2}[-*])/.test(after))
      return true;
  }
  return false;
}
