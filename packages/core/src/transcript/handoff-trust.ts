import { messagesFollowing, readHandoff } from '../handoff/handoff.ts';
import { digestHandoff, type HandoffKey, signHandoff } from '../handoff/handoff-signature.ts';
import { isTextPart, type Message, type Part } from '../messages/message.ts';
import type { Transcript } from './transcript.ts';

/** What {@link isTrustedHandoff} needs to know to recognize a genuine handoff. */
export interface HandoffKnowledge {
  /** The host's key. When set, only a valid signature makes a handoff trusted. */
  readonly handoffKey?: HandoffKey | undefined;
  /** From `digestHandoff`, for the body of the last handoff the engine wrote, if it remembers it. */
  readonly handoffDigest?: string | null | undefined;
}

/**
 * True when this library wrote a handoff, so that its contents may be used as state. Other systems' summaries, handoffs
 * signed with another key, and handoffs in unusual places may come from an attachment or a quoted log. Engines quote
 * them: nothing is lost, but their rules and requests have no authority.
 *
 * With a key, the signature decides. Without a key, a handoff is trusted where engines put it: at the beginning of a
 * message, outside a tool exchange, followed by at least as many messages as it states. In a message with several parts
 * it could be an attachment. There, only the remembered handoff is trusted.
 */
export function isTrustedHandoff(transcript: Transcript, index: number, known: HandoffKnowledge): boolean {
  const message = transcript.messages[index];
  const handoff = message && readHandoff(message);
  if (!handoff) return false;
  const following = messagesFollowing(message);
  if (known.handoffKey !== undefined)
    return handoff.signature === signHandoff(known.handoffKey, handoff.body, following ?? undefined);
  if (typeof known.handoffDigest === 'string' && digestHandoff(handoff.body) === known.handoffDigest) return true;
  return isWhereEnginesPutIt(transcript, index, following) && !isAmongParts(message);
}

function isWhereEnginesPutIt(transcript: Transcript, index: number, following: number | null): boolean {
  const { groups, length } = transcript;
  return groups[transcript.groupOf(index)]!.kind === 'message' && (following ?? 0) <= length - 1 - index;
}

/** True if the content has several parts, or one part with more than text, such as a title, a file name or a source. */
function isAmongParts({ content }: Message): boolean {
  if (typeof content === 'string') return false;
  const parts = (content ?? []) as readonly Part[];
  const [first] = parts;
  return (
    parts.length !== 1 || !first || !isTextPart(first) || Object.keys(first).some((field) => !textFields.has(field))
  );
}

const textFields: ReadonlySet<string> = new Set(['type', 'text', 'cache_control']);
