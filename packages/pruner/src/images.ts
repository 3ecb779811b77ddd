import { type Content, isImagePart, isToolResult, type Message, type Part } from '@palimpsest/core';
import type { Proposal, Strategy } from './strategy.ts';

/**
 * Pictures that were looked at: those of user messages before the newest user turn with pictures, and those in old tool
 * results (screenshots). A short text part takes the place of each; the text beside them stays.
 */
export const images: Strategy = {
  name: 'images',
  propose(view) {
    const { messages } = view.transcript;
    const userEnd = Math.min(newestPictureTurn(messages), view.turnsStart);
    const proposals: Proposal[] = [];
    for (let at = view.policy.from; at < Math.max(view.oldEnd, userEnd); at++) {
      const message = messages[at]!;
      if (message.role === 'user' ? at >= userEnd : at >= view.oldEnd || !isToolResult(message)) continue;
      if (!Array.isArray(message.content)) continue;
      const content = view.message(at)?.content;
      const pictures = picturesIn(content);
      if (pictures === 0) continue;
      const next = (content as readonly Part[]).map((part) => (part && isImagePart(part) ? stand(part) : part));
      proposals.push({ at, set: { content: next }, note: `${pictures} picture(s) from before were removed.` });
    }
    return proposals;
  },
};

const stand = (part: Part): Part =>
  ({ type: part.type === 'input_image' ? 'input_text' : 'text', text: '[image removed]' }) as Part;

function picturesIn(content: Content): number {
  return Array.isArray(content) ? (content as readonly Part[]).filter((part) => part && isImagePart(part)).length : 0;
}

/** Where the newest run of user messages with pictures begins; 0 when there is none. */
function newestPictureTurn(messages: readonly Message[]): number {
  let at = messages.findLastIndex((message) => message.role === 'user' && picturesIn(message.content) > 0);
  while (at > 0 && messages[at - 1]!.role === 'user') at--;
  return Math.max(0, at);
}
