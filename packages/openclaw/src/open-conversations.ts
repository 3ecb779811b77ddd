import { Conversation, type ConversationOptions } from './conversation.ts';

/** Number of conversations that stay in memory. The others are read from their files again. */
const mostOpen = 16;

const key = Symbol.for('@palimpsest/openclaw');

/**
 * The conversations of this process by session id, the least recently used first. OpenClaw loads copies of the plugin: the
 * engine of one copy and the tools of another work on the same conversation.
 */
const conversations = ((globalThis as Record<symbol, unknown>)[key] ??= new Map()) as Map<string, Conversation>;

/** Returns the conversation of a session. Creates it if it is not in memory. */
export function openConversation(options: ConversationOptions): Conversation {
  const { sessionId } = options;
  const known = conversations.get(sessionId) ?? new Conversation(options);
  conversations.delete(sessionId);
  conversations.set(sessionId, known);
  for (const [id, oldest] of conversations) {
    if (conversations.size <= mostOpen) break;
    conversations.delete(id);
    void oldest.session.end();
  }
  return known;
}

/** Returns the conversation of a session if it is in memory. */
export function knownConversation(sessionId: string): Conversation | undefined {
  return conversations.get(sessionId);
}
