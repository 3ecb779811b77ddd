import { afterHarnessQuote, quoteHarness } from '../handoff/harness-quote.ts';
import { ownContent } from '../handoff/own-content.ts';
import { asParts, isBlank, isTextPart, type Message, type Part } from '../messages/message.ts';
import type { Carried, CarriedMessage, Inserted } from './edit.ts';

/**
 * A part of an inserted message: one of the OpenAI user parts, so that an inserted message is a valid OpenAI message.
 */
export type InsertedPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } };

/**
 * A message that `apply` made from an {@link Inserted}. If it carries exactly one message, it has that message's name.
 */
export interface InsertedMessage {
  role: 'user';
  content: string | InsertedPart[];
  name?: string;
}

/**
 * Builds the message that an edit inserts: handoff, quoted messages and instructions, carried messages. Its content is a
 * string if all of them are strings.
 */
export function toInsertedMessage(
  { handoff, quote = [], instructions = [], carry }: Inserted,
  messages: readonly Message[],
): InsertedMessage {
  const contents = carry.map((carried) => contentToCarry(carried, messages));
  const quoted = [...quote.map((carried) => contentToCarry(carried, messages)), ...instructions];
  const own = joinQuoted(joinContents(quoted), joinContents(contents));
  const content =
    typeof own === 'string' ? (own === '' ? handoff : `${handoff}\n\n${own}`) : [textPart(handoff), ...own];
  // Parts copied from a caller's message have the caller's type. The union names only the parts that OpenAI defines.
  const message = { role: 'user', content } as InsertedMessage;
  const spoken = carry.flat().filter((carried) => !isBlank(contentToCarry(carried, messages)));
  const name = spoken.length === 1 ? messages[indexOf(spoken[0]!)]!.name : undefined;
  return name === undefined ? message : { ...message, name };
}

/** The indices of all messages that an insertion carries or quotes. */
export function indicesIn({ quote = [], carry }: Inserted): number[] {
  return [...quote.flat(), ...carry.flat()].map(indexOf);
}

/** Returns the content of a carried message without a handoff at its start and the harness messages quoted there. */
export function contentToCarry(carried: Carried, messages: readonly Message[]): string | readonly Part[] {
  if (typeof carried === 'number') return ownContent(messages[carried]!);
  if (isList(carried)) return joinContents(carried.map((one) => contentToCarry(one, messages)));
  const { at, skip = 0, content: given } = carried;
  const content = ownContent(given === undefined ? messages[at]! : { ...messages[at]!, content: given });
  if (skip === 0) return content;
  if (typeof content === 'string') return content.slice(skip);
  const [first, ...rest] = content;
  if (!first || !isTextPart(first)) return content;
  const text = first.text.slice(skip);
  return text === '' ? rest : [{ ...first, text } as Part, ...rest];
}

/** True for several messages whose texts become one. */
export function isList(carried: Carried): carried is readonly (number | CarriedMessage)[] {
  return Array.isArray(carried);
}

function indexOf(carried: number | CarriedMessage): number {
  return typeof carried === 'number' ? carried : carried.at;
}

/** Joins quoted and carried content so that {@link afterHarnessQuote} can separate them again. */
function joinQuoted(quoted: string | readonly Part[], carried: string | readonly Part[]): string | readonly Part[] {
  // If carried content begins like a quoted block, an empty block is put in front of it.
  const isAmbiguous = afterHarnessQuote(carried) !== carried;
  if (isBlank(quoted) && !isAmbiguous) return carried;
  const quote = quoteHarness(isBlank(quoted) ? '' : quoted);
  if (typeof carried !== 'string') return [...asParts(quote), ...carried];
  if (carried === '') return quote;
  if (typeof quote === 'string') return `${quote}\n\n${carried}`;
  // In the same part, so that carried text can be read back as a string.
  const last = quote.at(-1) as Part & { readonly text: string };
  return [...quote.slice(0, -1), textPart(`${last.text}\n\n${carried}`)];
}

function textPart(text: string): Part {
  return { type: 'text', text } as Part;
}

/** Joins contents: texts with a blank line between them, or all parts in order. Blank contents are omitted. */
export function joinContents(contents: readonly (string | readonly Part[])[]): string | readonly Part[] {
  const filled = contents.filter((content) => !isBlank(content));
  if (filled.every((content) => typeof content === 'string')) return filled.join('\n\n');
  return filled.flatMap(asParts);
}
