import { createTokenCounter } from '@palimpsest/tokens';
import { outcomeStrip, outputStrip } from '../comparison/page/strip.ts';
import type { ShownRequest } from '../conversations/conversation.ts';

/** The strips of each request. A page that is loaded again shows most of them again. */
const drawn = new WeakMap<ShownRequest, string>();

/** The history of a conversation by outcome, and below it the last request by role. */
export function conversationStrips(shown: ShownRequest): string {
  const known = drawn.get(shown);
  if (known !== undefined) return known;
  const { history, request } = shown;
  const counted = { messages: history, tokens: createTokenCounter() };
  const applied = { messages: request.messages, provenance: request.info.provenance };
  const strips = `<h3>The last request</h3>\n${outcomeStrip(counted, applied, 'history', null)}${outputStrip(counted, applied, 'request')}`;
  drawn.set(shown, strips);
  return strips;
}
