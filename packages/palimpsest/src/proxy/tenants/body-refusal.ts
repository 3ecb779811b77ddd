import type { IncomingMessage } from 'node:http';
import { isRecord, parseRecord } from '@palimpsest/core/authoring';
import { wireAt, wireNamed } from '@palimpsest/formats/wire';
import type { Refusal } from '../refusals.ts';
import type { Target } from '../upstreams.ts';

const unreadable: Refusal = {
  status: 400,
  type: 'body_unreadable',
  message: 'the body has to be a JSON object, and not compressed.',
};

/** Why a body may not be sent with a key of the operator: it names what the account stores, such as the answer to another tenant. */
export function bodyRefusal(
  { method, headers }: IncomingMessage,
  bytes: Buffer,
  { url }: Pick<Target, 'url'>,
): Refusal | null {
  if (method !== 'POST') return null;
  const body = headers['content-encoding'] === undefined ? parseRecord(bytes.toString()) : null;
  if (!body) return unreadable;
  // `/responses/compact` and `/responses/input_tokens` have the fields of `/responses`.
  const wire = wireAt(url) ?? wireNamed('openai-responses');
  const field = wire.factsOf(body, url).continues ?? (hasReference(body.input) ? 'item_reference' : undefined);
  return field === undefined
    ? null
    : {
        status: 403,
        type: 'stored_forbidden',
        message: `${field} names what the operator's account stores; send the whole conversation, or a key of your own.`,
      };
}

function hasReference(input: unknown): boolean {
  return Array.isArray(input) && input.some((item) => isRecord(item) && item.type === 'item_reference');
}
