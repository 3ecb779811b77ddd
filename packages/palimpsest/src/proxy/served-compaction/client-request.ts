import type { Body } from '@palimpsest/formats/wire';
import type { Conversation } from '../../conversations/conversation.ts';
import type { ConversationRequest } from '../../conversations/read-conversation.ts';
import { compactionBetas } from './anthropic-answers.ts';

/** A request of a client that may ask for the provider's own compaction, or contain one. */
export interface ClientRequest {
  readonly url: URL;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly signal: AbortSignal;
  /** Finds its conversation. */
  readonly find: (found: ConversationRequest) => Promise<Conversation>;
  /** Sends it on, unchanged or with another body. @param parsed the same body, where it is known */
  readonly sendOn: (bytes: Buffer, parsed?: Body) => Promise<Response>;
}

/** A request that asks for a compaction or contains one has one of these texts. */
const marks = ['"context_management"', '"compaction"'];

/** The end of an address that counts a prompt or compacts a conversation, after the address for answers. */
const besideAnswers = /(?<=\/(?:messages|responses))\/(?:count_tokens|input_tokens|compact)\/?$/;

/** True for a request that may ask for a compaction or contain one. The beta header alone may be refused as well. */
export function isMarked(text: Buffer | string, headers: Headers): boolean {
  return compactionBetas(headers).length > 0 || marks.some((mark) => text.includes(mark));
}

/** True for a request that counts a prompt or compacts a conversation. */
export function isBesideAnswers({ pathname }: URL): boolean {
  return besideAnswers.test(pathname);
}

/** The address for answers of the same API. */
export function answersAt(url: URL): URL {
  const answers = new URL(url);
  answers.pathname = url.pathname.replace(besideAnswers, '');
  return answers;
}
