import { askProxy } from '../../live-sessions/ask-proxy.ts';
import { socketFolder, socketsIn } from '../../live-sessions/socket-folder.ts';
import type { ActionName } from '../actions.ts';
import type { LiveConversation, LiveView } from '../live-view.ts';

/** A conversation, and the proxy that it is in. */
export interface FoundConversation extends LiveConversation {
  readonly socket: string;
}

/** The conversations of all running proxies of a user. */
export interface FoundView extends Pick<LiveView, 'now' | 'problems'> {
  /** Number of proxies that answered. */
  readonly proxies: number;
  /** The most recently used first. */
  readonly conversations: readonly FoundConversation[];
}

/** Reads the live views of all running proxies of a user. @param home the user's home folder */
export async function readLiveViews(home: string): Promise<FoundView> {
  const sockets = await socketsIn(socketFolder(home));
  const read = sockets.map(async (socket) => {
    const view = await askProxy<LiveView>(socket, '/').catch(() => null);
    return view ? [{ socket, view }] : [];
  });
  const found = (await Promise.all(read)).flat();
  const conversations = found.flatMap(({ socket, view }) => view.conversations.map((one) => ({ ...one, socket })));
  return {
    proxies: found.length,
    now: Math.max(0, ...found.map(({ view }) => view.now)),
    problems: found.flatMap(({ view }) => view.problems),
    conversations: conversations.sort((one, other) => other.lastUsed - one.lastUsed),
  };
}

/** Does an action on a conversation. @returns its result, in words */
export async function actOn({ socket, id }: FoundConversation, name: ActionName): Promise<string> {
  return (await askProxy<{ readonly words: string }>(socket, `/live/${id}/${name}`, 'POST')).words;
}

/** Searches a conversation. @returns what was found, with secrets masked */
export async function searchIn({ socket, id }: FoundConversation, query: string): Promise<string> {
  const path = `/live/${id}/search?query=${encodeURIComponent(query)}`;
  return (await askProxy<{ readonly words: string }>(socket, path)).words;
}
