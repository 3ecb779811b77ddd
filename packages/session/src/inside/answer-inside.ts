import type { Session } from '../session.ts';
import { type Conversation, type SendOptions, sendRequest } from '../wire/send-request.ts';
import { watchAnswer } from '../wire/watch-reply.ts';
import { InnerRounds } from './inner-rounds.ts';
import { framingOf, mergeStreams } from './merge-streams.ts';
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
  const { reply } = sent;
  if (!reply.ok) return reply;
  if (!rounds.isPossible || !rounds.hasTools(sent) || !reply.body) return watchAnswer(session, conversation, sent);
  const framing = framingOf(conversation, reply);
  return framing ? mergeStreams(session, rounds, framing, sent) : mergeWhole(session, rounds, sent);
}
