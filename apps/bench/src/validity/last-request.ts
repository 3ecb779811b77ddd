import { agentReader } from '@palimpsest/agents';
import { contentText, type Message, requestContent, type TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';

/** The texts of the current request, message by message, without a handoff before it; none where nobody asks for anything. */
export function currentRequest(messages: readonly Message[], counter: TokenCounter): readonly string[] {
  const { request } = Transcript.of(messages, counter, { reader: agentReader });
  return request
    ? messages.slice(request.from, request.to).map((message) => contentText(requestContent(message, agentReader)))
    : [];
}

/** True when a user still says all of it, word for word. */
export function saysStill(request: readonly string[], kept: readonly Message[]): boolean {
  const said = kept.filter(({ role }) => role === 'user').map(({ content }) => contentText(content));
  return request.every((text) => said.some((one) => one.includes(text)));
}
