import { readHandoff } from './handoff.ts';
import { answerWithin, isHarnessText } from './harness-openings.ts';
import { asParts, isTextPart, type Message, type Part } from './message.ts';
import { behindQuotes, separateBlocks } from './quoted-blocks.ts';
import { separateLabelled } from './quoted-labels.ts';
import { isRemovedMedia } from './removed-media.ts';

/** A user message split by who wrote it. Handoffs are in neither half. */
export interface Speech {
  /** The part a person typed or attached; `null` when there is none. */
  readonly said: Message | null;
  /** Text from a harness or a document: data, without the user's authority; `null` when there is none. */
  readonly inserted: Message | null;
}

/** The content of a user message without the handoff at its beginning and the harness messages quoted after it. */
export function requestContent(message: Message): string | readonly Part[] {
  const handoff = readHandoff(message);
  return handoff ? behindQuotes(handoff.rest) : (message.content ?? '');
}

const nobody: Speech = { said: null, inserted: null };

// A pure cache, because every user message is separated several times.
const memos = new WeakMap<
  Message,
  { readonly content: unknown; readonly parts: number | undefined; readonly speech: Speech }
>();

/**
 * Separates a person's words in a user message from text of harnesses, tools and documents: tagged blocks, labelled
 * output and documents, and parts that only a program writes. Code that looks for a user's requests or rules must read
 * `said` only. Linear, and memoized per message object. For other roles, both halves are `null`.
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
  // Parts are judged one by one: harnesses and placed handoffs put their parts next to those of a person.
  const parts = asParts(content).filter(Boolean).map(separatePart);
  const spoken = parts.some(({ own }) => own !== null);
  // Without a person's words, a picture next to observed harness text belongs to the harness; otherwise to the person.
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
  /** A text part with only a person's words. */
  readonly own: Part | null;
  /** A part that is not text, or the placeholder of a removed one. */
  readonly media: Part | null;
  readonly quoted: readonly string[];
  /** True when a picture next to the quoted text belongs to the harness. */
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
  // The text around a block can be a harness's as well.
  if (isHarnessText(own)) return { ...none, quoted: [part.text], observed: true };
  return { own: { ...part, text: own } as Part, media: null, quoted, observed };
}
