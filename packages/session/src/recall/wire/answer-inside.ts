import type { Session } from '../../session.ts';
import { type Conversation, learnFrom, type SendOptions, sendRequest } from '../../wire/send-request.ts';
import { watchReply } from '../../wire/watch-reply.ts';
import { InnerRounds } from './inner-rounds.ts';
import { isEventStream, mergeStreams } from './merge-streams.ts';
import { mergeWhole } from './merge-whole.ts';

/**
 * Sends a conversation with the session's tools, and answers their calls in further requests. The client gets one reply
 * that has only calls of its own tools.
 */
export async function answerInside(
  session: Session,
  conversation: Conversation,
  sending: SendOptions,
): Promise<Response> {
  const rounds = await InnerRounds.open(session, conversation, sending);
  const sent = await (rounds.isPossible ? rounds.send() : sendRequest(session, conversation, sending));
  const { reply, request } = sent;
  if (!reply.ok) return reply;
  if (!rounds.isPossible || !rounds.hasTools(sent) || !reply.body)
    return watchReply(reply, (report) => learnFrom(session, request, report));
  return isEventStream(reply) ? mergeStreams(session, rounds, sent) : mergeWhole(session, rounds, sent);
}
