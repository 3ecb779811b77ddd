import { oneLine, splitsPair, startOf } from '@palimpsest/pruner/salience';

/** Maximum length of the beginning of a message, and of its end. The request may be at either end. Characters. */
const longestStart = 240;
const longestEnd = 200;
/** A cut moves back to a space or a sentence mark among so many characters before it. */
const nearCut = 60;

/** Matches a slash command as Claude Code stores it. */
const slashCommandText: RegExp =
  /^(?:<command-message>[^<]{0,200}<\/command-message>\s*)?<command-name>([^<]{1,200})<\/command-name>(?:\s*<command-message>[^<]{0,200}<\/command-message>)?(?:\s*<command-args>([^<]*)<\/command-args>)?\s*$/;

/** The command that a message consists of, as the user typed it; `null` for any other message. */
export function slashCommand(text: string): string | null {
  const found = text.startsWith('<command-') ? slashCommandText.exec(text) : null;
  return found && oneLine(`${found[1]} ${found[2] ?? ''}`).trim();
}

/**
 * Returns a short message, or both ends of a longer one, verbatim on one line. `[... 3120 characters ...]` stands for what
 * is between them.
 */
export function gistOf(given: string): string {
  const text = slashCommand(given) ?? given.trim();
  if (text.length <= longestStart + longestEnd) return oneLine(text);
  const start = beginning(text.slice(0, longestStart + 2));
  const end = ending(text.slice(-longestEnd - 2));
  return `${oneLine(start)} [... ${text.length - start.length - end.length} characters ...] ${oneLine(end)}`;
}

function beginning(text: string): string {
  const near = text.slice(longestStart - nearCut, longestStart);
  const cut = near.search(/[\s\u3001\u3002\uff01\uff0c\uff1f][^\s\u3001\u3002\uff01\uff0c\uff1f]*$/);
  return startOf(text, cut < 0 ? longestStart : longestStart - nearCut + cut + 1).trimEnd();
}

/** The last line, if it is short; otherwise the end of a text, from the beginning of a word. */
function ending(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  if (line.length < text.length && line.length >= nearCut) return line;
  const cut = text.slice(2, 2 + nearCut).search(/\s/);
  const from = cut < 0 ? 2 : cut + 3;
  return text.slice(splitsPair(text, from) ? from + 1 : from);
}
