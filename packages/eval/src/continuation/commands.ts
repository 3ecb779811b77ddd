import type { Message } from '@palimpsest/core';
import { collapse, type OutputReading } from './output-reading.ts';
import { readToolCalls, shellCommand } from './tool-calls.ts';

const maxCommands = 20;
const maxCommandLength = 60;
/** Shorter commands, such as "make", are not looked up, because any sentence may contain them. */
const minCommandLength = 8;

/** Matches commands that look something up, or prepare for another one. */
const lookUp: RegExp =
  /^(?:cat|ls|ll|tree|find|fd|grep|egrep|rg|ag|head|tail|less|diff|wc|stat|file|du|df|ps|pgrep|pwd|which|type|env|date|echo|printf|sed -n|awk|jq|sort|uniq|cut|tr|xargs|cd|pushd|popd|set|source|export|true|sleep|wait|git (?:-C \S+ )?(?:status|log|diff|show|blame|branch|remote|rev-parse|ls-files|grep|fetch)|gh \w+ (?:view|list|status|checks|diff))\b/;
const intoFile: RegExp = /(?:^|[^\d&>])>{1,2}\s*(?!\/dev\/null|&)\S/;

/**
 * Returns the beginnings, up to 60 characters, of the newest 20 shell commands that did more than look something up. An agent
 * that does not know them runs them again.
 */
export function recentCommands(messages: readonly Message[]): string[] {
  const commands = new Set<string>();
  for (const call of readToolCalls(messages).reverse()) {
    const command = actingPart(shellCommand(call) ?? '');
    if (command.length >= minCommandLength) commands.add(command.slice(0, maxCommandLength).trim());
    if (commands.size === maxCommands) break;
  }
  return [...commands];
}

// Quoted strings, and what a recorder has put in the place of a name, such as `<USER_ID_REDACTED>`.
const opaque: RegExp = /'[^']*'|"(?:\\[\s\S]|[^"\\])*"|<[A-Z_]{1,40}>/g;

/** The first command of a script that acts, or `''`. */
function actingPart(script: string): string {
  const bare = script.replace(opaque, (text) => '_'.repeat(text.length));
  let from = 0;
  for (const part of bare.split(/(?:&&|\|\|?|;|\n)/)) {
    const raw = collapse(script.slice(from, from + part.length));
    from += part.length + (/^(?:&&|\|\|)/.test(bare.slice(from + part.length)) ? 2 : 1);
    if (/^[\w./~]/.test(raw) && (!lookUp.test(raw) || intoFile.test(part))) return raw;
  }
  return '';
}

/** Returns the commands that an output still has. */
export const commandsIn = (commands: readonly string[], { text }: OutputReading): string[] =>
  commands.filter((command) => text.includes(command));
