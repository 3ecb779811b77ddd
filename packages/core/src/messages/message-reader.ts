import { type ForeignHandoffReader, readAnyHandoff } from '../handoff/any-handoff.ts';
import type { SeparatedText } from '../handoff/quoted-text.ts';
import { asParts, isTextPart, type Message, type Part } from './message.ts';
import { isRemovedMedia } from './removed-media.ts';

/** A user message split by author. Neither half contains handoffs. */
export interface Speech {
  /** The part a person typed or attached, or `null`. */
  readonly said: Message | null;
  /** Text from a harness or a document: data, without the user's authority, or `null`. */
  readonly inserted: Message | null;
}

/** Separates a person's words from text that a harness, a tool or a document inserted. Part of the host. */
export interface MessageReader extends ForeignHandoffReader {
  /**
   * Separates a person's words in a user message from inserted text. Code that looks for a user's requests or rules
   * must read only `said`. Linear time, memoized per message object. For other roles, both halves are `null`.
   */
  separateSpeech(message: Message): Speech;
}

/** Reads single texts for a {@link MessageReader}. */
export interface TextReader extends ForeignHandoffReader {
  /**
   * Separates a person's words in one text of a user message from inserted blocks. The text is not blank and contains
   * no handoff and no placeholder of a removed picture. Linear.
   */
  separateText(text: string): SeparatedText;
}

const noSpeech: Speech = { said: null, inserted: null };

/** Creates a reader of whole messages, with the rules for parts and pictures, from a reader of single texts. */
export function defineMessageReader(texts: TextReader): MessageReader {
  // A pure cache, because every user message is separated several times.
  const memos = new WeakMap<
    Message,
    { readonly content: unknown; readonly parts: number | undefined; readonly speech: Speech }
  >();
  return {
    readForeignHandoff: (text) => texts.readForeignHandoff(text),
    separateSpeech(message) {
      if (message.role !== 'user') return noSpeech;
      const known = memos.get(message);
      if (known && known.content === message.content && known.parts === message.content?.length) return known.speech;
      const speech = separate(message, texts);
      memos.set(message, { content: message.content, parts: message.content?.length, speech });
      return speech;
    },
  };
}

function separate(message: Message, texts: TextReader): Speech {
  const content = readAnyHandoff(message, texts)?.rest ?? message.content ?? '';
  // Parts are judged one by one, because harnesses and handoffs add their parts next to a person's parts.
  const parts = asParts(content)
    .filter(Boolean)
    .map((part) => separatePart(part, texts));
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

function separatePart(part: Part, texts: TextReader): SeparatedPart {
  const none = { own: null, media: null };
  if (!isTextPart(part) || isRemovedMedia(part.text)) return { ...none, media: part, quoted: [], observed: false };
  if (part.text.trim() === '') return { ...none, quoted: [], observed: false };
  const { own: written, quoted, observed } = texts.separateText(part.text);
  const own = written.trim();
  if (own === '') return { ...none, quoted, observed };
  if (quoted.length === 0) return { own: part, media: null, quoted, observed };
  return { own: { ...part, text: own } as Part, media: null, quoted, observed };
}
