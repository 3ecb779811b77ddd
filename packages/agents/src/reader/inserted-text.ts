import { isJson } from '@palimpsest/core/authoring';
import type { AgentProfile } from '../agent-profile.ts';
import { startsWithAny } from '../any-of.ts';

/** Creates a test for texts that were written entirely by a harness or a program. */
export function insertedTextMatcher(agents: readonly AgentProfile[]): (text: string) => boolean {
  const opens = startsWithAny(agents.flatMap(({ openings = [] }) => openings));
  return (text) => opens(text) || isToolOutput(text);
}

/** True for bare JSON, and for text that ends with a shell prompt. */
function isToolOutput(text: string): boolean {
  // `C#` and `F#` at the end are languages, not prompts.
  if (/\n(?![A-Za-z]#$)[\w.@~:/()-]{0,60}[$#]$/.test(text.slice(-64))) return true;
  const bare =
    text.length > 80 && ((text.startsWith('{') && text.endsWith('}')) || (text.startsWith('[{') && text.endsWith(']')));
  return bare && isJson(text);
}
