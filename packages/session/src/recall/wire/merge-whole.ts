import type { Session } from '../../session.ts';
import { readerFor } from '../../wire/reply-reader.ts';
import { learnFrom, type SentConversation } from '../../wire/send-request.ts';
import type { InnerRounds } from './inner-rounds.ts';
import { type Fields, parsedFields, type ReplyTurn } from './recall-format.ts';
import { withBody } from './with-body.ts';

/** Answers the calls in replies that are not streamed, until one is for the client. */
export async function mergeWhole(session: Session, rounds: InnerRounds, first: SentConversation): Promise<Response> {
  const replies: Fields[] = [];
  const turns: ReplyTurn[] = [];
  for (let sent = first; ; ) {
    const bytes = new Uint8Array(await sent.reply.arrayBuffer());
    report(session, sent, bytes);
    const reply = parsedFields(new TextDecoder().decode(bytes));
    // The reply to a further request can be an error, or something that is not a message.
    if (!sent.reply.ok || !reply) return withBody(sent.reply, bytes);
    const turn = rounds.format.readWhole(reply, rounds.isOwn);
    if (turns.length === 0 && turn.calls.length === 0) return withBody(sent.reply, bytes);
    replies.push(reply);
    turns.push(turn);
    if (!rounds.isContinued(turn)) {
      await rounds.finish(turn, sent);
      return withBody(sent.reply, JSON.stringify(rounds.format.mergeWhole(replies, turns)));
    }
    sent = await rounds.continue(turn, sent);
  }
}

function report(session: Session, { reply, request }: SentConversation, bytes: Uint8Array): void {
  const reader = reply.ok ? readerFor(reply.headers.get('content-type') ?? '') : null;
  if (!reader) return;
  reader.read(bytes);
  learnFrom(session, request, reader.end());
}
