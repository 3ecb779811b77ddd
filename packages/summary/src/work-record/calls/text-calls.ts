import { readToolName, type TextCalls, textCallFormats } from '@palimpsest/agents';
import { contentText, type Message } from '@palimpsest/core';
import { memoizeText } from '../text/memoize-text.ts';
import type { CallArguments } from './call-arguments.ts';

/** Maximum characters to search for marks at each end of a result. */
const maxReach = 300;

const known = new WeakMap<
  Message,
  { readonly written: string; readonly format: TextCalls; call: CallArguments | null }
>();

/**
 * Reads a call that an agent wrote as text in its message; `null` if there is none. Text counts as a call only if the
 * next message contains its result in a known agent's format.
 * @param next the next message, which no person typed
 */
export function textCall(message: Message, next: Message): CallArguments | null {
  const written = contentText(message.content);
  if (!written.includes('```') && !written.includes('<function=')) return null;
  const result = contentText(next.content).trim();
  const ends = [result.slice(0, maxReach), result.slice(-maxReach)];
  const format = textCallFormats.find(({ results }) => results.some((shape) => ends.some((end) => shape.test(end))));
  if (!format) return null;
  const memo = known.get(message);
  if (memo?.written === written && memo.format === format) return memo.call;
  const call = (format.functionTags ? readTaggedCall(written) : null) ?? readFencedCall(written, format);
  known.set(message, { written, format, call });
  return call;
}

const edits = /* @__PURE__ */ textCallFormats.flatMap(({ applied }) => applied ?? []);

/** Reads the edits in an agent's text that its harness confirms in the same message. */
export const readAppliedEdits: (text: string, message: Message | undefined) => readonly CallArguments[] =
  /* @__PURE__ */ memoizeText((text) =>
    edits
      .filter(({ needs }) => text.includes(needs))
      .flatMap(({ line }) => text.split('\n').flatMap((one) => line.exec(one)?.[1] ?? []))
      .map((path) => callOf('edit', { path })),
  );

/** Reads a call such as `<function=name>` with its parameters. */
function readTaggedCall(text: string): CallArguments | null {
  const start = /<function=([\w.-]{1,80})>/.exec(text);
  const end = text.lastIndexOf('</function>');
  if (!start || end < start.index) return null;
  const values: Record<string, string> = {};
  for (const part of text
    .slice(start.index + start[0].length, end)
    .split('<parameter=')
    .slice(1)) {
    const name = /^([\w.-]{1,80})>/.exec(part);
    const close = part.lastIndexOf('</parameter>');
    if (name && close >= 0) values[name[1]!] = part.slice(name[0].length, close).replace(/^\n/, '').replace(/\n$/, '');
  }
  return callOf(start[1]!, values);
}

/** Reads the script in the last fenced block of a language that the agent uses for scripts. */
function readFencedCall(text: string, { fences = [], commands = {} }: TextCalls): CallArguments | null {
  let language: string | null = null;
  let lines: string[] = [];
  let script: string | null = null;
  for (const line of text.split('\n')) {
    if (!line.startsWith('```')) lines.push(line);
    else if (language === null) {
      language = line.slice(3).trim();
      lines = [];
    } else {
      if (fences.includes(language)) script = lines.join('\n');
      language = null;
    }
  }
  if (script === null) return null;
  const tool = /^\s*(\S{0,80})/.exec(script)![1]!;
  const rest = script.slice(script.indexOf(tool) + tool.length);
  const argument = Object.hasOwn(commands, tool) ? commands[tool]! : null;
  if (argument === null) return callOf('bash', { command: script });
  const [line = '', ...more] = rest.split('\n');
  const value = more.length > 0 ? more.filter((one) => one !== 'end_of_edit').join('\n') : line.trim();
  // A path may be followed by a line number.
  return callOf(tool, { [argument]: argument === 'path' ? value.split(' ')[0]! : value.replace(/^"(.*)"$/, '$1') });
}

function callOf(name: string, values: Record<string, string>): CallArguments {
  return { tool: readToolName(name).tool, input: JSON.stringify(values), values };
}
