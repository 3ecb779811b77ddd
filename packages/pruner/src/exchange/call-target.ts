import { commandArguments, pathArguments } from '@palimpsest/agents';
import type { ToolExchange } from './tool-exchange.ts';

/** Returns the command of a shell call: a line, or the words of an argument vector without the shell that runs them. */
export function commandOf(exchange: ToolExchange): string {
  const vector = exchange.args.command ?? exchange.args.cmd;
  if (Array.isArray(vector)) {
    const words = vector.map(String);
    return /^(?:\/(?:usr\/)?bin\/)?(?:ba|z)?sh$/.test(words[0] ?? '') && words.length === 3
      ? words[2]!
      : words.join(' ');
  }
  return exchange.argument(...commandArguments) ?? exchange.input;
}

/** Returns the file or folder that a call names; `null` if it names none. */
export function pathOf(exchange: ToolExchange): string | null {
  const { args } = exchange;
  for (let name = 0; name < pathArguments.length; name++) {
    const named = args[pathArguments[name]!];
    if (typeof named === 'string' && named !== '') return named;
  }
  const patch = (exchange.argument('input', 'patch') ?? exchange.input).slice(0, 4_000);
  return /^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$/m.exec(patch)?.[1] ?? null;
}
