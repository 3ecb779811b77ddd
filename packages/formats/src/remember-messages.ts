import { dequal } from 'dequal';

/** Number of conversations remembered: the agent's, and a few short ones in addition. */
const maxConversations = 3;

/**
 * Creates a function that replaces messages by the equal objects of an earlier call, for a host that parses or copies its
 * messages for each request. Codecs and token counters cache what they read per object, so they read only new messages.
 * Remembers the last three conversations. Each call takes time proportional to the size of the conversation.
 *
 * @example
 * const remember = rememberMessages();
 * remember(JSON.parse(first))[0] === remember(JSON.parse(second))[0]; // true if the two are equal
 */
export function rememberMessages(): <Message>(messages: readonly Message[]) => readonly Message[] {
  /** Newest first. */
  let conversations: readonly (readonly unknown[])[] = [];
  return <Message>(messages: readonly Message[]) => {
    const known = conversations.find((one) => isSameBeginning(one, messages)) ?? [];
    const recalled = messages.map((message, at) => (dequal(known[at], message) ? (known[at] as Message) : message));
    conversations = [recalled, ...conversations.filter((one) => one !== known)].slice(0, maxConversations);
    return recalled;
  };
}

/** Compares the second message if there is one, because all conversations of an agent begin with the same system prompt. */
function isSameBeginning(known: readonly unknown[], messages: readonly unknown[]): boolean {
  const at = Math.min(1, known.length - 1, messages.length - 1);
  return at >= 0 && dequal(known[at], messages[at]);
}
