import { parseRecord } from '@palimpsest/core/authoring';
import { type Answer, type Body, wholeAnswer } from '@palimpsest/formats/wire';
import type { Session } from '../../session.ts';
import { type DecodedRequest, type FetchReply, learnFrom } from '../fetch-with-recovery.ts';
import { watchAnswer } from '../watch-reply.ts';
import { framingOf, mergeStreams } from './merge-streams.ts';
import type { ToolRounds } from './tool-rounds.ts';
import { withBody } from './with-body.ts';

/**
 * Sends a conversation with the session's tools, and answers their calls in further requests. The client gets one reply
 * that has only calls of its own tools.
 */
export async function answerToolCalls(session: Session, asked: DecodedRequest, rounds: ToolRounds): Promise<Response> {
  const sent = await rounds.send();
  const { reply } = sent;
  if (!reply.ok) return reply;
  if (!rounds.hasTools(sent) || !reply.body) return watchAnswer(session, asked, sent);
  const framing = framingOf(asked, reply);
  return framing ? mergeStreams(session, rounds, framing, sent) : mergeWhole(session, rounds, sent);
}

/** Answers the calls in replies that are not streamed, until one is for the client. */
async function mergeWhole(session: Session, rounds: ToolRounds, first: FetchReply): Promise<Response> {
  const { wire } = rounds;
  const replies: Body[] = [];
  const answers: Answer[] = [];
  for (let sent = first; ; ) {
    const bytes = new Uint8Array(await sent.reply.arrayBuffer());
    const reply = parseRecord(new TextDecoder().decode(bytes));
    // The reply to a further request can be an error, or something that is not a message.
    if (sent.reply.ok && !reply) learnFrom(session, sent, null);
    if (!sent.reply.ok || !reply) return withBody(sent.reply, bytes);
    const answer = wholeAnswer(wire, reply, rounds.isOwn);
    learnFrom(session, sent, answer);
    if (answers.length === 0 && answer.calls.length === 0) return withBody(sent.reply, bytes);
    replies.push(reply);
    answers.push(answer);
    if (!rounds.isContinued(answer)) {
      await rounds.finish(answer, sent);
      return withBody(sent.reply, JSON.stringify(wire.answers.mergeWhole(replies, answers)));
    }
    sent = await rounds.continue(answer, sent);
  }
}
