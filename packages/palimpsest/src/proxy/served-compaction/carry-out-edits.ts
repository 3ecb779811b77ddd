import { parseRecord } from '@palimpsest/core/authoring';
import { readContextManagement, wireAt } from '@palimpsest/formats/wire';
import type { FetchFunction } from '@palimpsest/session/fetch';
import type { ModelCounter } from '@palimpsest/tokens/models';
import { clearEdits, countOf, reportOf, withoutManagement } from './anthropic-answers.ts';
import { answersAt, isBesideAnswers, isMarked } from './client-request.ts';
import { editAnswer } from './edit-answer.ts';
import { addressOf, type ServedAddresses } from './served-addresses.ts';

/**
 * Makes calls to an upstream without context management: edits in `context_management` are carried out here, and reported in
 * the answer.
 */
export function withoutServedEdits(call: FetchFunction, served: ServedAddresses, tokens: ModelCounter): FetchFunction {
  return async (input, init = {}) => {
    if (served.isEmpty) return call(input, init);
    const { body: sent } = init;
    const given = new Headers(init.headers);
    const text = typeof sent === 'string' ? sent : sent instanceof Uint8Array ? asBuffer(sent) : '';
    const url = new URL(String(input));
    const isPossible = isMarked(text, given) && wireAt(answersAt(url))?.name === 'anthropic';
    const body = isPossible ? parseRecord(text.toString()) : null;
    if (!body || !served.has(addressOf(url, body, given))) return call(input, init);
    const management = readContextManagement(body);
    const { body: stripped, headers } = withoutManagement(body, given);
    if (management === null || typeof management === 'string')
      return call(input, { ...init, headers, body: JSON.stringify(stripped) });
    const { body: cleared, applied } = clearEdits(stripped, management.clears, answersAt(url), tokens);
    const reply = await call(input, { ...init, headers, body: JSON.stringify(cleared) });
    return editAnswer(reply, isBesideAnswers(url) ? countOf(applied) : reportOf(applied));
  };
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
