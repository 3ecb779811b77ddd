import { messagesFollowing, readHandoff } from './handoff.ts';
import { type HandoffKey, signHandoff } from './handoff-signature.ts';
import { isTextPart, type Message, type Part } from './message.ts';
import type { Transcript } from './transcript.ts';

/** What a real handoff is told by. */
export interface HandoffKnowledge {
  /** The host's key. With one, a handoff is trusted by its signature and by nothing else. */
  readonly handoffKey?: HandoffKey | undefined;
  /** The body an engine remembers to have written last. */
  readonly remembered?: string | null | undefined;
}

/**
 * True when what a handoff says may be carried on as state: when it is one of ours. Another system's, one signed with
 * another key and one that stands where no engine puts it may be anybody's text: an attachment, a quoted log. They are
 * quoted, so that nothing is lost, but their rules and requests are nobody's.
 *
 * With a key, the signature decides. Without one, a handoff is taken for ours where engines put it: it is all of the
 * text of a message, or the message's text begins with it, outside of a tool exchange and followed by no fewer messages
 * than it says. Among other parts only the one the engine remembers is, because there it looks like an attachment.
 */
export function isTrustedHandoff(transcript: Transcript, index: number, known: HandoffKnowledge): boolean {
  const message = transcript.messages[index];
  const handoff = message && readHandoff(message);
  if (!handoff || handoff.version === 0) return false;
  const following = messagesFollowing(message);
  if (known.handoffKey !== undefined)
    return handoff.signature === signHandoff(known.handoffKey, handoff.body, following ?? undefined);
  if (typeof known.remembered === 'string' && handoff.body === known.remembered) return true;
  return isWhereEnginesPutIt(transcript, index, following) && !isAmongParts(message);
}

function isWhereEnginesPutIt(transcript: Transcript, index: number, following: number | null): boolean {
  const { groups, length } = transcript;
  return groups[transcript.groupOf(index)]!.kind === 'message' && (following ?? 0) <= length - 1 - index;
}

/** True for a handoff in a part that has neighbours, or that carries more than text: a title, a file name, a source. */
function isAmongParts({ content }: Message): boolean {
  if (typeof content === 'string') return false;
  const parts = (content ?? []) as readonly Part[];
  const [first] = parts;
  return (
    parts.length !== 1 || !first || !isTextPart(first) || Object.keys(first).some((field) => !textFields.has(field))
  );
}

const textFields: ReadonlySet<string> = new Set(['type', 'text', 'cache_control']);
