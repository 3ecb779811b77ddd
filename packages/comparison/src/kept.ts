import { agentReader, isRequest } from '@palimpsest/agents';
import { contentText, type Message, readAnyHandoff, requestContent } from '@palimpsest/core';
import { anchorsIn, namedAnchors } from './anchors.ts';

/** A count out of a total. */
export interface Share {
  readonly kept: number;
  readonly of: number;
}

/** Counts the messages written by a person that appear verbatim in a user message of the output. */
export function keptUserMessages(input: readonly Message[], output: readonly Message[]): Share {
  const userTexts = new Set<string>();
  const carried: string[] = [];
  for (const message of output) {
    if (message.role !== 'user') continue;
    const own = contentText(requestContent(message, agentReader));
    userTexts.add(own);
    if (readAnyHandoff(message, agentReader)) carried.push(own);
  }
  const wanted = input.filter((message, index) => isRequest(message, index, input));
  const kept = wanted.filter((message) => {
    const text = contentText(requestContent(message, agentReader));
    return userTexts.has(text) || carried.some((own) => own.includes(text));
  });
  return { kept: kept.length, of: wanted.length };
}

/** Counts the identifiers from user and assistant messages that still appear anywhere in the output. */
export function keptAnchors(input: readonly Message[], output: readonly Message[]): Share {
  const wanted = namedAnchors(input);
  const found = new Set<string>();
  for (const message of output) for (const anchor of anchorsIn(message)) found.add(anchor);
  let kept = 0;
  for (const anchor of wanted) if (found.has(anchor)) kept++;
  return { kept, of: wanted.size };
}
