import type { Message } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import type { Decoded, NativeOrigin } from '../codec.ts';
import { malformed, type Place } from '../native-error.ts';
import type { ShareGptConversation } from './conversation.ts';
import { partsOf } from './row.ts';

export function decodeShareGpt<Native extends ShareGptConversation>(native: Native): Decoded<Native> {
  const place: Place = { format: 'shareGpt', index: -1 };
  const given: unknown = native;
  if (!isRecord(given)) throw malformed(place, '', 'it is not an object with "conversations"');
  if (!Array.isArray(given.conversations)) throw malformed(place, 'conversations', 'is not an array');
  const messages: Message[] = [];
  const origins: NativeOrigin[] = [];
  let start = 0;
  for (const { turns, units } of partsOf(native.conversations)) {
    for (const { message, pieces } of units) {
      messages.push(message);
      origins.push({ pieces: pieces.map((piece) => ({ ...piece, index: piece.index + start })) });
    }
    start += turns.length;
  }
  return { native, messages, origins };
}
