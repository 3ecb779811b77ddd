import { commandArguments } from '@palimpsest/agents';
import type { CallArguments } from './call-arguments.ts';

/** Returns the script that a call of a command tool runs; `''` if it has none. */
export function callScript({ input, values }: CallArguments): string {
  if (values === null) return /^\s*\{/.test(input) ? '' : input;
  for (const name of commandArguments) {
    const value = values[name];
    // Some recorders put a file listing there.
    if (name === 'input' && typeof value === 'string' && /^\d+\t/.test(value)) return '';
    if (typeof value === 'string' && value !== '') return name === 'input' ? withoutDescription(value) : value;
    if (Array.isArray(value) && value.every((word) => typeof word === 'string')) return toScript(value);
  }
  return '';
}

/** Converts an argument list such as `['bash', '-lc', 'npm test']` to a script. */
function toScript(words: readonly string[]): string {
  const option = words.findIndex((word) => /^-[a-z]{0,4}c$/.test(word));
  return option > 0 ? (words[option + 1] ?? '') : words.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w./=:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Some session exports put a description before the command, which is then in backticks. */
function withoutDescription(text: string): string {
  const start = text.startsWith('`') ? 0 : text.indexOf('\n\n`') + 2;
  if (start === 1 || !text.endsWith('`')) return text;
  const marked = text.slice(start);
  return marked.startsWith('```') ? marked.slice(marked.indexOf('\n') + 1, -3) : marked.slice(1, -1);
}
