import type { Session } from '../session.ts';
import type { FetchRequest } from '../wire/send-request.ts';
import { watchAnswer } from '../wire/watch-reply.ts';
import type { InnerRounds } from './inner-rounds.ts';
import { framingOf, mergeStreams } from './merge-streams.ts';
import { mergeWhole } from './merge-whole.ts';

/**
 * Sends a conversation with the session's tools, and answers their calls in further requests. The client gets one reply
 * that has only calls of its own tools.
 */
export async function answerInside(session: Session, asked: FetchRequest, rounds: InnerRounds): Promise<Response> {
  const sent = await rounds.send();
  const { reply } = sent;
  if (!reply.ok) return reply;
  if (!rounds.hasTools(sent) || !reply.body) return watchAnswer(session, asked, sent);
  const framing = framingOf(asked, reply);
  return framing ? mergeStreams(session, rounds, framing, sent) : mergeWhole(session, rounds, sent);
}
