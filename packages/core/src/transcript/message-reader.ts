import { type ForeignHandoffReader, readAnyHandoff } from '../handoff/any-handoff.ts';
import { readHandoff } from '../handoff/handoff.ts';
import { afterHarnessQuote, harnessQuote } from '../handoff/harness-quote.ts';
import { isRemovedMedia } from '../messages/media-placeholder.ts';
import {
  asParts,
  contentText,
  isInsertedPart,
  isTextPart,
  type Message,
  type Part,
  type TextPart,
} from '../messages/message.ts';
import type { SeparatedText } from '../messages/quoted-text.ts';

/** Matches the begin mark of a handoff at the end of a line. */
const begin: RegExp = /\[CONTEXT HANDOFF v\d{1,3}, \d{1,9} characters\][^\S\n]*$/m;

const end = '[END OF CONTEXT HANDOFF v';

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
   * Separates a person's words in a user message from inserted text. Code that looks for a user's tasks or rules
   * must read only `said`. Linear time, memoized per message object. For other roles, both halves are `null`.
   */
  separateSpeech(message: Message): Speech;
  /**
   * Returns the instructions that the host inserted into a user message, such as an instruction file, word for word and
   * in order; also those that are quoted after this library's handoff. Linear time.
   * @default none are known
   */
  readInstructions?(message: Message): readonly string[];
  /**
   * True for a tool result that says that the next user message is a text of the harness, such as that of a skill.
   * @default false
   */
  announcesText?(result: Message): boolean;
}

/** Reads single texts for a {@link MessageReader}. */
export interface TextReader extends ForeignHandoffReader {
  /**
   * Separates a person's words in one text of a user message from inserted blocks. The text is not blank and contains
   * no handoff and no placeholder of a removed picture. Linear.
   */
  separateText(text: string): SeparatedText;
  /**
   * Does the same for the texts of a message with several parts, in order. Inserted text may begin in one part and
   * continue in the next. A text may be blank. Linear.
   * @default each text alone
   */
  separateTexts?(texts: readonly string[]): readonly SeparatedText[];
  /**
   * Returns the instructions that the host inserted into the texts of a message, word for word and in order. Linear.
   * @param quoted what this library quoted after a handoff: other harness messages, then instructions; `null` for nothing
   * @default none are known
   */
  readInstructions?(texts: readonly string[], quoted: string | null): readonly string[];
  /**
   * True for the text of a tool result that says that the next user message is a text of the harness. Constant time.
   * @default false
   */
  announcesText?(result: string): boolean;
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
    readInstructions: (message) => (message.role === 'user' ? instructionsIn(message, texts) : []),
    announcesText: ({ role, content }) => role === 'tool' && (texts.announcesText?.(contentText(content)) ?? false),
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
  const parts = separateParts(asParts(content).filter(Boolean), texts);
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

function instructionsIn(message: Message, { readInstructions }: TextReader): readonly string[] {
  if (!readInstructions) return [];
  const rest = readHandoff(message)?.rest;
  const own = rest === undefined ? (message.content ?? '') : afterHarnessQuote(rest);
  const written = asParts(own).filter((part): part is TextPart => Boolean(part) && isWritten(part));
  const quoted = rest === undefined ? null : harnessQuote(rest);
  return readInstructions(
    written.map(({ text }) => text),
    quoted,
  );
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

const nothing: SeparatedPart = { own: null, media: null, quoted: [], observed: false };

function separateParts(parts: readonly Part[], texts: TextReader): SeparatedPart[] {
  const separated = separateTexts(parts.filter(isWritten), texts).values();
  return parts.map((part): SeparatedPart => {
    if (isWritten(part)) return ownPart(part, separated.next().value!);
    if (isInsertedPart(part)) return { ...nothing, quoted: isTextPart(part) && part.text !== '' ? [part.text] : [] };
    return { ...nothing, media: part };
  });
}

/** True for a part whose text has to be read. */
function isWritten(part: Part): part is TextPart {
  return isTextPart(part) && !isInsertedPart(part) && !isRemovedMedia(part.text);
}

/** Separates the texts of a message: handoffs first, because one in these places is not the user's, then what texts say. */
function separateTexts(parts: readonly TextPart[], texts: TextReader): SeparatedText[] {
  const bare = separateHandoffs(parts.map(({ text }) => text));
  const own = bare.map((text) => text.own);
  const read =
    own.length > 1 && texts.separateTexts
      ? texts.separateTexts(own)
      : own.map((text) => (text.trim() === '' ? { own: '', quoted: [], observed: false } : texts.separateText(text)));
  return read.map((text, at) => ({ ...text, quoted: [...text.quoted, ...bare[at]!.quoted] }));
}

function ownPart(part: TextPart, { own: written, quoted, observed }: SeparatedText): SeparatedPart {
  const own = written.trim();
  if (own === '') return { ...nothing, quoted, observed };
  if (quoted.length === 0) return { ...nothing, own: part, observed };
  return { ...nothing, own: { ...part, text: own } as Part, quoted, observed };
}

/**
 * Separates handoffs from texts in which engines put none: in the middle of a text, in a later part, after another
 * handoff, or with a checksum that does not match. Somebody quoted, edited or forged it, so it is data up to the end of
 * its text, or of the text with its end mark. Linear time.
 */
function separateHandoffs(texts: readonly string[]): SeparatedText[] {
  let isOpen = false;
  return texts.map((text) => {
    const from = isOpen ? 0 : text.search(begin);
    if (from < 0) return { own: text, quoted: [], observed: false };
    isOpen = !text.includes(end, from);
    return { own: text.slice(0, from), quoted: [text.slice(from)], observed: false };
  });
}
