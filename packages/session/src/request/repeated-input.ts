import type { Message } from '@palimpsest/core';
import type { SessionParts } from '../session-parts.ts';
import { type RequestInput, requestInput } from './request-input.ts';

/** The input of the last request with other messages. */
export function repeatedInput(
  { conversation: { intake, requests } }: SessionParts,
  messages: readonly Message[],
): RequestInput {
  const { tools, system, maxTokens, leastTokens } = requests.lastInput ?? {};
  return requestInput(intake, messages, { tools, system, maxTokens, leastTokens });
}
