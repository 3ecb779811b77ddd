import { agentReader, isRequest } from '@palimpsest/agents';
import { contentText, isTextPart, type Message, type Part, requestContent } from '@palimpsest/core';

/**
 * Whether the current request is verbatim in the output. It compares texts and does not rely on the engine's provenance.
 * The request is the last run of consecutive user messages written by a person. It is kept if the output has these
 * messages in order, or one user message that ends with all of them.
 * @returns `null` if the transcript has no request
 */
export function isRequestKept(input: readonly Message[], output: readonly Message[]): boolean | null {
  const request = lastRequest(input);
  if (request.length === 0) return null;
  return (
    areKeptApart(request, output) || output.some((message) => message.role === 'user' && endsWithAll(message, request))
  );
}

/** The user messages of the transcript's last request, in order. */
function lastRequest(messages: readonly Message[]): readonly Message[] {
  const isReal = (index: number): boolean => isRequest(messages[index]!, index, messages);
  let last = messages.length - 1;
  while (last >= 0 && !isReal(last)) last--;
  let first = last;
  while (first > 0 && isReal(first - 1)) first--;
  return last < 0 ? [] : messages.slice(first, last + 1);
}

function areKeptApart(request: readonly Message[], output: readonly Message[]): boolean {
  let next = 0;
  for (const message of output)
    if (next < request.length && message.role === 'user' && sameContent(message, request[next]!)) next++;
  return next === request.length;
}

function sameContent(a: Message, b: Message): boolean {
  return a.content === b.content || JSON.stringify(a.content) === JSON.stringify(b.content);
}

/** Whether a message ends with the texts of all request messages, with optional blank lines between them. */
function endsWithAll(message: Message, request: readonly Message[]): boolean {
  let rest = contentText(message.content);
  for (const { text } of request.map(ownContent).reverse()) {
    if (!rest.endsWith(text)) return false;
    rest = rest.slice(0, rest.length - text.length).replace(/\n{1,2}$/, '');
  }
  const held = new Set(ownContent(message).others);
  return request.every((wanted) => ownContent(wanted).others.every((part) => held.has(part)));
}

/** A message's content without an embedded handoff: its text, and its other parts as JSON. */
function ownContent(message: Message): { text: string; others: string[] } {
  const content = requestContent(message, agentReader);
  const parts = typeof content === 'string' ? [] : (content as readonly Part[]);
  return {
    text: contentText(content),
    others: parts.filter((part) => !isTextPart(part)).map((part) => JSON.stringify(part)),
  };
}
