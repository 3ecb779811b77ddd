import { isMediaPart } from '../handoff/harness-quote.ts';
import { jsonText } from '../json/json-text.ts';
import { isTextPart, type Message, type Part } from '../messages/message.ts';
import type { Carried, CarriedMessage, Inserted } from './edit.ts';
import { contentToCarry, isList, toInsertedMessage } from './inserted-message.ts';

/**
 * Finds the insertion that yields a rewritten inserted message. Only pictures and files can be replaced: a plan
 * contains no user text.
 * @returns `null` when the text of the inserted message was changed
 */
export function rewriteInsertion(
  inserted: Inserted,
  rewritten: Message['content'],
  messages: readonly Message[],
): Inserted | null {
  const { content } = toInsertedMessage(inserted, messages) as Message;
  if (typeof content === 'string' || typeof rewritten === 'string' || !content || !rewritten)
    return rewritten === content ? inserted : null;
  if (rewritten.length !== content.length) return null;
  if (content.some((part, at) => !isMediaPart(part) && jsonText(part) !== jsonText(rewritten[at]))) return null;
  const media = rewritten.filter((_, at) => isMediaPart(content[at]));
  if (media.some((part) => isTextPart(part) && !isMediaPart(part))) return null;
  // In both sections, media are in the order of the messages. Lists contain only texts.
  const withMedia = (carried: Carried): Carried => {
    const own = isList(carried) ? '' : contentToCarry(carried, messages);
    if (isList(carried) || typeof own === 'string') return carried;
    return withContent(carried, messages, media.splice(0, own.filter(isMediaPart).length));
  };
  const quote = inserted.quote?.map(withMedia);
  return { ...inserted, ...(quote ? { quote } : {}), carry: inserted.carry.map(withMedia) };
}

/** A carried message with other media. Media that are not carried come first. */
function withContent(carried: number | CarriedMessage, messages: readonly Message[], media: readonly Part[]): Carried {
  const own: CarriedMessage = typeof carried === 'number' ? { at: carried } : carried;
  const parts = (own.content ?? messages[own.at]!.content) as readonly Part[];
  let next = media.length - parts.filter(isMediaPart).length;
  const content = parts.map((part) => (isMediaPart(part) ? (media[next++] ?? part) : part));
  return jsonText(content) === jsonText(parts) ? carried : { ...own, content };
}
