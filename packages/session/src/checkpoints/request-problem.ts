import type { EngineHost, Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import type { Projection } from './checkpoint-chain.ts';

/** Why a stored plan must not be used: it removes the current request. `null` when it keeps the request. */
export function requestProblem(
  { provenance }: Projection,
  messages: readonly Message[],
  host: Pick<EngineHost, 'tokens' | 'reader' | 'isRequest'>,
): string | null {
  const { request } = Transcript.of(messages, host.tokens, host);
  const outcomes = request ? provenance.source.slice(request.from, request.to) : [];
  const isLost = outcomes.some(({ kind }) => kind === 'summarized' || kind === 'dropped');
  return isLost ? "It leaves out the user's last request." : null;
}
