import { readHandoff } from './handoff.ts';
import { answerWithin, isHarnessText } from './harness-openings.ts';
import { asParts, isTextPart, type Message, type Part } from './message.ts';
import { behindQuotes, separateBlocks } from './quoted-blocks.ts';
import { separateLabelled } from './quoted-labels.ts';
import { isRemovedMedia } from './removed-media.ts';

/** A user message, taken apart by who wrote it. Handoffs are in neither half. */
export interface Speech {
  /** What a person typed or attached; `null` when it holds nothing of a person's. */
  readonly said: Message | null;
  /** What a harness or a document put there: data, without the user's authority; `null` when there is none. */
  readonly inserted: Message | null;
}

/**
 * What a user message says besides a handoff it may carry: its own content, or what stands behind the end mark and the
 * harness messages that were put there with it.
 */
export function requestContent(message: Message): string | readonly Part[] {
  const handoff = readHandoff(message);
  return handoff ? behindQuotes(handoff.rest) : (message.content ?? '');
}

const nobody: Speech = { said: null, inserted: null };

// Asked several times of every user message there is. Like a token counter's, the memo is a pure cache.
const memos = new WeakMap<
  Message,
  { readonly content: unknown; readonly parts: number | undefined; readonly speech: Speech }
>();

/**
 * Separates what a person says in a user message from what harnesses, tools and documents put beside it: blocks in
 * their tags, output and documents under a label, parts that only a program writes. Everything that asks what a user
 * wants, or which rules a user states, reads `said` and nothing else. Linear, and memoized per message object; a message
 * of another role says nothing.
 */
export function separateSpeech(message: Message): Speech {
  if (message.role !== 'user') return nobody;
  const known = memos.get(message);
  if (known && known.content === message.content && known.parts === message.content?.length) return known.speech;
  const speech = separate(message);
  memos.set(message, { content: message.content, parts: message.content?.length, speech });
  return speech;
}

function separate(message: Message): Speech {
  const content = readHandoff(message)?.rest ?? message.content ?? '';
  // Each part is judged by itself: a harness puts its own words beside those of a person, and so does a handoff's placement.
  const parts = asParts(content).filter(Boolean).map(separatePart);
  const spoken = parts.some(({ own }) => own !== null);
  // A picture beside what a harness says is the harness's; one without words beside it is a person's.
  const isPicture = !spoken && !parts.some(({ observed }) => observed) && parts.some(({ media }) => media !== null);
  const inserted = parts.flatMap(({ quoted }) => quoted);
  const own = spoken || isPicture ? parts.flatMap((part) => part.own ?? part.media ?? []) : [];
  const bare = content === message.content ? message : { ...message, content };
  if (inserted.length === 0) return { said: own.length > 0 ? bare : null, inserted: null };
  const quoted: Message = { ...message, content: inserted.join('\n\n') };
  if (own.length === 0) return { said: null, inserted: quoted };
  const said = typeof content === 'string' ? (own[0] as Part & { text: string }).text : own;
  return { said: { ...message, content: said }, inserted: quoted };
}

interface SeparatedPart {
  /** A text part with a person's words, and nothing else in it. */
  readonly own: Part | null;
  /** A part that is no text, or stands for one that was removed. */
  readonly media: Part | null;
  readonly quoted: readonly string[];
  /** True when what is quoted makes a picture beside it the harness's. */
  readonly observed: boolean;
}

function separatePart(part: Part): SeparatedPart {
  if (!isTextPart(part) || isRemovedMedia(part.text)) return { own: null, media: part, quoted: [], observed: false };
  const text = part.text.trim();
  const none = { own: null, media: null };
  if (text === '') return { ...none, quoted: [], observed: false };
  const answered = answerWithin(text);
  if (answered !== null)
    return { own: { ...part, text: answered } as Part, media: null, quoted: [text], observed: true };
  if (isHarnessText(text)) return { ...none, quoted: [part.text], observed: true };
  const blocks = separateBlocks(part.text);
  const labelled = separateLabelled(blocks.own);
  const quoted = [...blocks.quoted, ...labelled.quoted];
  const observed = blocks.observed || labelled.observed;
  const own = labelled.own.trim();
  if (own === '') return { ...none, quoted, observed };
  if (quoted.length === 0) return { own: part, media: null, quoted, observed };
  // What stands behind a block can be a harness's as well.
  if (isHarnessText(own)) return { ...none, quoted: [part.text], observed: true };
  return { own: { ...part, text: own } as Part, media: null, quoted, observed };
}
