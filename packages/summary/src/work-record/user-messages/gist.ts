import { oneLine, splitsPair, startOf } from '@palimpsest/pruner/salience';

/** Maximum length of the beginning of a message, and of its end. The task may be at either end. Characters. */
const maxStartLength = 240;
const maxEndLength = 200;

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
  if (text.length <= maxStartLength + maxEndLength) return oneLine(text);
  // Cut between words, and before the last line if it is long enough to stand alone.
  const start = startOf(text, maxStartLength).replace(/\s\S{0,60}$/, '');
  const from = text.length - maxEndLength;
  const end = text
    .slice(splitsPair(text, from) ? from + 1 : from)
    .replace(/^\S{0,60}\s/, '')
    .replace(/^[\s\S]*\n(?=[^\n]{60,}$)/, '');
  return `${oneLine(start)} [... ${text.length - start.length - end.length} characters ...] ${oneLine(end)}`;
}
