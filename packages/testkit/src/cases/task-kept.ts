import { agentReader, isFromPerson } from '@palimpsest/agents';
import { isTextPart, type Message, type Part, readAnyHandoff } from '@palimpsest/core';
import { type CaseDefinition, ensure, fail, resultCase } from '../case-definition.ts';

export const taskKept: CaseDefinition = resultCase(3, 'keeps the current task verbatim', (result, scenario) => {
  const wanted = currentTask(scenario.messages);
  if (wanted.length === 0) return;
  const output = result.messages as readonly Message[];
  const users = output.map((message, index) => ({ message, index })).filter(({ message }) => message.role === 'user');
  // From the end, each message of the task must be the end of a user message, or of its unmatched beginning.
  let at = users.length - 1;
  let left = at < 0 ? [] : flat(users[at]!.message.content);
  let holder = -1;
  for (const index of wanted.toReversed()) {
    const words = flat(ownContent(scenario.messages[index]!));
    let rest = withoutEnd(left, words);
    while (rest === null && at > 0) {
      left = flat(users[--at]!.message.content);
      rest = withoutEnd(left, words);
    }
    if (rest === null)
      fail(`message ${index}, part of the current task, is not a user message of the output or the end of one`);
    holder = Math.max(holder, users[at]!.index);
    left = rest;
  }
  const current = currentTask(output);
  ensure(
    current.includes(holder),
    () =>
      `the task is in message ${holder} of the output, but the output's current task is ${current.length === 0 ? 'none' : `message ${current.join(', ')}`}`,
  );
});

/** Indices of the newest run of real user messages. */
function currentTask(messages: readonly Message[]): number[] {
  const real = (index: number): boolean =>
    messages[index]?.role === 'user' && isFromPerson(messages[index]!, index, messages);
  let last = messages.length - 1;
  while (last >= 0 && !real(last)) last--;
  const found: number[] = [];
  for (let index = last; index >= 0 && real(index); index--) found.unshift(index);
  return found;
}

/** Content of a user message without a leading handoff and the harness messages quoted after it. */
function ownContent(message: Message): Message['content'] {
  const handoff = readAnyHandoff(message, agentReader);
  if (!handoff) return message.content;
  if (typeof handoff.rest === 'string')
    return handoff.rest.replace(/^(?:<(harness-message)>\n[\s\S]*?\n<\/\1>\n\n)+/, '');
  const isQuote = (part: Part): boolean =>
    Boolean(part && isTextPart(part) && part.text.startsWith('<harness-message>\n'));
  return handoff.rest.slice(handoff.rest.findLastIndex(isQuote) + 1);
}

/** Content as a list: the text of each text part, JSON for every other part. Blank texts are left out. */
function flat(content: Message['content']): string[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [content];
  const parts = Array.isArray(content) ? (content as readonly Part[]) : [];
  return parts
    .map((part) => (isTextPart(part) ? part.text : JSON.stringify(part)))
    .filter((part) => part.trim() !== '');
}

/** `whole` without the trailing items `end`, the first of which may match the end of a text. `null` if there is no match. */
function withoutEnd(whole: readonly string[], end: readonly string[]): string[] | null {
  const start = whole.length - end.length;
  if (start < 0) return null;
  for (let index = 1; index < end.length; index++) if (whole[start + index] !== end[index]) return null;
  if (end.length === 0) return [...whole];
  const before = beforeEnd(whole[start]!, end[0]!);
  if (before === null) return null;
  return [...whole.slice(0, start), ...(before.trim() === '' ? [] : [before])];
}

/** The text before `end`, which at most four blanks may follow. `null` if the text does not end this way. */
function beforeEnd(text: string, end: string): string | null {
  for (let cut = 0; cut <= 4 && text.slice(text.length - cut).trim() === ''; cut++) {
    const candidate = text.slice(0, text.length - cut);
    if (candidate.endsWith(end)) return candidate.slice(0, candidate.length - end.length);
  }
  return null;
}
