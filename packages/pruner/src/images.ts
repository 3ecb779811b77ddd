import { type Content, isImagePart, type Message, type Part } from '@palimpsest/core';
import { removedMedia } from '@palimpsest/core/authoring';
import type { Proposal } from './proposal.ts';
import type { Strategy } from './strategy.ts';

/**
 * Pictures that were looked at: those of user messages before the newest user turn with pictures, and those in old tool
 * results (screenshots). A short text part takes the place of each; the text beside them stays.
 */
export const images: Strategy = {
  name: 'images',
  propose(view) {
    const { messages } = view.transcript;
    const userEnd = Math.min(newestPictureTurn(messages, view.inParts), view.turnsStart);
    const proposals: Proposal[] = [];
    for (const at of view.inParts) {
      if (at >= (messages[at]!.role === 'user' ? userEnd : view.oldEnd)) continue;
      const content = view.message(at)?.content;
      const pictures = picturesIn(content);
      if (pictures === 0) continue;
      const next = (content as readonly Part[]).map((part) => (part && isImagePart(part) ? stand(part) : part));
      proposals.push({
        at,
        set: { content: next },
        note: pictures === 1 ? 'An earlier picture was removed.' : `${pictures} earlier pictures were removed.`,
      });
    }
    return proposals;
  },
};

const stand = (part: Part): Part =>
  ({ type: part.type === 'input_image' ? 'input_text' : 'text', text: removedMedia('image') }) as Part;

function picturesIn(content: Content): number {
  return Array.isArray(content) ? (content as readonly Part[]).filter((part) => part && isImagePart(part)).length : 0;
}

/** Where the newest run of user messages with pictures begins; 0 when there is none. */
function newestPictureTurn(messages: readonly Message[], inParts: readonly number[]): number {
  const hasPictures = ({ role, content }: Message): boolean => role === 'user' && picturesIn(content) > 0;
  let at = inParts.findLast((index) => hasPictures(messages[index]!)) ?? 0;
  while (at > 0 && messages[at - 1]!.role === 'user') at--;
  return at;
}
