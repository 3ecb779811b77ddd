import { type Content, isImagePart, type Message, type Part } from '@palimpsest/core';
import { mediaPlaceholder } from '@palimpsest/core/authoring';
import type { Proposal, Strategy } from '../view/strategy.ts';

/**
 * Removes pictures in user messages before the newest user turn with pictures, and in old tool results, such as
 * screenshots. A short text part replaces each picture; text next to it stays.
 */
export const images: Strategy = {
  name: 'images',
  propose(view) {
    const { messages } = view.transcript;
    const userEnd = Math.min(newestPictureTurn(messages), view.turnsStart);
    const proposals: Proposal[] = [];
    for (let at = view.policy.from; at < messages.length; at++) {
      const { role } = messages[at]!;
      if (role === 'assistant' || at >= (role === 'user' ? userEnd : view.oldEnd)) continue;
      const content = hasPictures(messages[at]!) ? view.message(at)?.content : null;
      const pictures = picturesIn(content);
      if (pictures === 0) continue;
      const next = (content as readonly Part[]).map((part) =>
        part && isImagePart(part) ? placeholderFor(part) : part,
      );
      proposals.push({
        at,
        set: { content: next },
        note: pictures === 1 ? 'An earlier picture was removed.' : `${pictures} earlier pictures were removed.`,
      });
    }
    return proposals;
  },
};

function placeholderFor({ type }: Part): Part {
  return { type: type === 'input_image' ? 'input_text' : 'text', text: mediaPlaceholder('image') } as Part;
}

function picturesIn(content: Content): number {
  return Array.isArray(content) ? (content as readonly Part[]).filter((part) => part && isImagePart(part)).length : 0;
}

function hasPictures({ content }: Message): boolean {
  return picturesIn(content) > 0;
}

/** Start of the newest run of user messages that ends with a picture, or 0. */
function newestPictureTurn(messages: readonly Message[]): number {
  let at = Math.max(
    0,
    messages.findLastIndex((message) => message.role === 'user' && hasPictures(message)),
  );
  while (at > 0 && messages[at - 1]!.role === 'user') at--;
  return at;
}
