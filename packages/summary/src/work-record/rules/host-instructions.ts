import { contentText, isSystem, type Message } from '@palimpsest/core';
import { oneLine } from '@palimpsest/pruner/salience';

/** Maximum length of a system message that counts as an instruction, in characters. Longer ones are prompts. */
const maxInstructionLength = 600;

/** A short system message: an instruction of the host. */
export interface HostInstruction {
  /** The message, verbatim, on one line. */
  readonly text: string;
  /** Index of the message; the newest if the text is repeated. */
  readonly index: number;
}

/**
 * Returns the instructions in system messages of up to 600 characters, oldest first. A repeated text is listed at its
 * last position.
 */
export function hostInstructions(messages: readonly Message[]): HostInstruction[] {
  const found = new Map<string, number>();
  messages.forEach((message, index) => {
    const text = isSystem(message) ? contentText(message.content).trim() : '';
    if (text === '' || text.length > maxInstructionLength) return;
    const line = oneLine(text);
    // A Map keeps the position of a key that is set again, so a repeated text is removed first.
    found.delete(line);
    found.set(line, index);
  });
  return [...found].map(([text, index]) => ({ text, index }));
}
