import { parseRecord } from '@palimpsest/core/authoring';
import { type Body, type StreamEvent, wireNamed } from '@palimpsest/formats/wire';

/** How an answer of Anthropic Messages is changed on its way to the client. */
export interface AnswerEdit {
  /** Changes an answer that is not streamed. */
  message(message: Body): Body;
  /** Returns what is sent in place of an event of a stream. */
  event(event: Body): readonly Body[];
}

/** Changes an answer while it is passed on. One that refuses its request stays as it is. */
export async function editAnswer(reply: Response, edit: AnswerEdit): Promise<Response> {
  const type = reply.headers.get('content-type') ?? '';
  if (!reply.ok || !reply.body) return reply;
  const headers = new Headers(reply.headers);
  headers.delete('content-length');
  const init = { status: reply.status, headers };
  const framing = wireNamed('anthropic').answers.framingOf(type, true);
  if (!framing) {
    const text = await reply.text();
    const message = parseRecord(text);
    return new Response(message ? JSON.stringify(edit.message(message)) : text, init);
  }
  const encoder = new TextEncoder();
  const waiting: StreamEvent[] = [];
  const source = framing.open((event) => {
    const fields = 'data' in event && typeof event.data === 'string' ? parseRecord(event.data) : null;
    if (fields) for (const data of edit.event(fields)) waiting.push({ event: String(data.type), data });
    else waiting.push(event);
  });
  const takeText = (): string =>
    waiting
      .splice(0)
      .map((event) => framing.write(event))
      .join('');
  const edited = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      source.read(chunk);
      const text = takeText();
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
    flush(controller) {
      source.end();
      const text = takeText();
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
  });
  return new Response(reply.body.pipeThrough(edited), init);
}

/** Answers with a message, as a stream or whole. @param events the message as events */
export function messageReply(message: Body, events: readonly Body[], isStreamed: boolean): Response {
  if (!isStreamed) return Response.json(message);
  const text = events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}
