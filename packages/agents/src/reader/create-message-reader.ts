import type { MessageReader } from '@palimpsest/core';
import { defineMessageReader } from '@palimpsest/core/authoring';
import type { AgentProfile } from '../agent-profile.ts';
import { anywhere, startsWithAny } from '../any-of.ts';
import { foreignHandoffReader } from './foreign-handoff.ts';
import { partSeparator } from './part-separator.ts';
import { type TextSeparator, textSeparator } from './text-separator.ts';

/**
 * Creates a reader from the profiles of agents: `createMessageReader([...knownAgents, myAgent])`. The profiles are
 * compiled once into one matcher. Independently of the profiles, the reader recognizes this library's own marks, tags
 * named like documents or output, labels such as `Command output:`, bare JSON, and text that ends with a shell prompt.
 *
 * Pass it to a host, a session or `prune` as `reader`.
 */
export function createMessageReader(agents: readonly AgentProfile[]): MessageReader {
  const separateText = textSeparator(agents);
  return defineMessageReader({
    readForeignHandoff: foreignHandoffReader(agents),
    separateText,
    separateTexts: partSeparator(agents, separateText),
    readInstructions: instructionReader(agents, separateText),
    announcesText: startsWithAny(agents.flatMap(({ results }) => results?.announcements ?? [])),
  });
}

/**
 * Creates a function that finds the host's instructions in the texts of one message, word for word. A harness puts them
 * first in their text, and whatever follows a label such as `[read_file] Result:` may be a file. Linear time.
 */
function instructionReader(
  agents: readonly AgentProfile[],
  separate: TextSeparator,
): (texts: readonly string[], quoted: string | null) => string[] {
  const patterns = agents.flatMap(({ instructions = [] }) => instructions);
  const opening = anywhere(patterns);
  if (!opening) return () => [];
  const opens = startsWithAny(patterns);
  const between = new RegExp(`\\n\\n(?=${opening.source})`);
  // The texts of several messages may have become one.
  const pieces = (text: string): string[] => text.split(between).filter((piece) => opens(piece.trimStart()));
  return (texts, quoted) => {
    const found = quoted === null ? [] : pieces(quoted);
    for (const text of texts) {
      if (text.trim() === '') continue;
      const read = separate(text);
      if (read.own.trim() === '') found.push(...pieces(text));
      else found.push(...leading(text, read.quoted).filter((block) => opens(block)));
      if (read.isOpen) break;
    }
    return found;
  };
}

/** The inserted blocks before a person's words. */
function leading(text: string, blocks: readonly string[]): string[] {
  const found: string[] = [];
  let from = 0;
  for (const block of blocks) {
    const at = text.indexOf(block, from);
    if (at < 0 || text.slice(from, at).trim() !== '') break;
    found.push(block);
    from = at + block.length;
  }
  return found;
}
