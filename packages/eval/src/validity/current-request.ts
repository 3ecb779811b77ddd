import { agentReader } from '@palimpsest/agents';
import { contentText, type Message, requestContent, type TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';

/** Returns the texts of the current request, one per message, without a preceding handoff. Empty if there is no request. */
export function currentRequest(messages: readonly Message[], counter: TokenCounter): readonly string[] {
  const { request } = Transcript.of(messages, counter, { reader: agentReader });
  return request
    ? messages.slice(request.from, request.to).map((message) => contentText(requestContent(message, agentReader)))
    : [];
}

/** Returns true if user messages still contain every text of the request word for word. */
export function isRequestKept(request: readonly string[], kept: readonly Message[]): boolean {
  const said = kept.filter(({ role }) => role === 'user').map(({ content }) => contentText(content));
  return request.every((text) => said.some((one) => one.includes(text)));
}
