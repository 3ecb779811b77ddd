import type { SummarizeResponse } from '@palimpsest/core';
import type { WireFormat } from '@palimpsest/formats/wire';
import { createParser } from 'eventsource-parser';
import { isEventStream } from '../recall/wire/merge-streams.ts';
import { type Fields, fieldsIn, parsedFields, type ReplyTurn } from '../recall/wire/recall-format.ts';
import { recallFormats } from '../recall/wire/recall-formats.ts';
import { readerFor } from '../wire/reply-reader.ts';

const nothing = (): boolean => false;

/** Reads a whole reply, streamed or not. @returns why it cannot be used when it is not a complete text without calls */
export async function readReply(
  reply: Response,
  format: WireFormat,
): Promise<SummarizeResponse | { readonly failure: string }> {
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const reader = readerFor(reply.headers.get('content-type') ?? '');
  reader?.read(bytes);
  const report = reader?.end();
  if (!reply.ok || !report) return { failure: `The provider answered with status ${reply.status}.` };
  if (report.error !== null) return { failure: 'The reply has an error.' };
  const { items, hasHostCalls, isComplete } = turnOf(new TextDecoder().decode(bytes), isEventStream(reply), format);
  if (hasHostCalls) return { failure: 'The model called a tool.' };
  if (!isComplete) return { failure: 'The reply is not complete.' };
  return {
    text: items.flatMap(textsIn).join(''),
    finishReason: 'stop',
    ...(report.usage ? { usage: report.usage } : {}),
  };
}

function turnOf(text: string, isStream: boolean, format: WireFormat): ReplyTurn {
  if (!isStream) return recallFormats[format].readWhole(parsedFields(text) ?? {}, nothing);
  const stream = recallFormats[format].openStream(nothing);
  stream.next();
  const parser = createParser({ onEvent: ({ event, data }) => void stream.read({ event, data }) });
  parser.feed(text);
  parser.reset({ consume: true });
  return stream.turn();
}

/** The text of a message or item; none of reasoning. */
function textsIn({ type, content }: Fields): readonly string[] {
  if (type !== undefined && type !== 'message') return [];
  if (typeof content === 'string') return [content];
  const parts = fieldsIn(content).filter((part) => part.type === 'text' || part.type === 'output_text');
  return parts.map(({ text }) => (typeof text === 'string' ? text : ''));
}
