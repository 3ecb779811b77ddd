import { redact } from '@palimpsest/redactor';
import type { Session } from '@palimpsest/session';
import type { Conversation } from '../conversations/conversation.ts';
import { messagesOf } from '../conversations/read-conversation.ts';
import { searchable } from '../live-sessions/searchable.ts';

/** The name of what a button or a key does. */
export type ActionName = 'compact' | 'undo' | 'pause' | 'resume';

const withNext = 'This takes effect with the next request of the agent.';

/** Each action returns its result in one or two sentences. */
const actions: Readonly<Record<ActionName, (session: Session) => Promise<string>>> = {
  async compact(session) {
    const { headline, tokenLine, note, noop } = await session.compact();
    return [`${headline}.`, `${tokenLine}.`, note ?? '', noop ? '' : withNext].filter(Boolean).join(' ');
  },
  async undo(session) {
    const number = await session.undo();
    if (number === null) return 'There is no compaction to undo.';
    return session.status().held
      ? `The last compaction was undone. Compaction is paused until a request no longer fits the window. ${withNext}`
      : 'The last compaction was undone, but without it the prompt does not fit the window: the next request is compacted again.';
  },
  async pause(session) {
    await session.hold(true);
    return 'Paused: nothing is compacted until a request no longer fits the window. Earlier compactions stay in effect.';
  },
  async resume(session) {
    await session.hold(false);
    return 'Resumed: the conversation compacts automatically again.';
  },
};

/** True for the name of an action. */
export function isAction(name: string | undefined): name is ActionName {
  return name !== undefined && Object.hasOwn(actions, name);
}

/** Does an action on a conversation. @returns the result in words, without text of the conversation */
export async function act(conversation: Conversation, name: ActionName): Promise<string> {
  const session = await conversation.session;
  if (!session) return 'The conversation has had no request since the proxy was started. Try again after the next one.';
  return actions[name](session);
}

/** Searches the whole history of a conversation. @returns what was found, with secrets masked */
export async function search({ id, newest }: Conversation, query: string): Promise<string> {
  const messages = newest && messagesOf(newest);
  if (!messages) return 'The conversation is not in memory. Try again after its next request.';
  const { recall } = await searchable({ name: id, messages: async () => messages });
  return redact(await recall.callTool('recall', { query }), { boundary: true });
}
