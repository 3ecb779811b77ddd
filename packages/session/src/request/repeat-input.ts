import type { Message } from '@palimpsest/core';
import { type RequestInput, requestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/** The input of the last request with other messages. */
export function repeatInput(
  { conversation: { intake, requests } }: SessionParts,
  messages: readonly Message[],
): RequestInput {
  const { tools, system, maxTokens, minTokens } = requests.lastInput ?? {};
  return requestInput(intake, messages, { tools, system, maxTokens, minTokens });
}
