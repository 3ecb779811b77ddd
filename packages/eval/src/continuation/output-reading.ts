import type { Message } from '@palimpsest/core';
import { textsOf } from '../transcripts/texts.ts';
import { shellChanges } from './changed-files.ts';

/** What an output says, prepared for looking up probes. */
export interface OutputReading {
  readonly messages: readonly Message[];
  /** All texts with whitespace collapsed, one per line. */
  readonly text: string;
  /** As `text`, without Markdown marks for emphasis, code and headings. */
  readonly prose: string;
  /** Short lines with whitespace collapsed, without a list mark or number before them. */
  readonly shortLines: ReadonlySet<string>;
  /** Lines that report a change, or that are under a heading that does. */
  readonly changeLines: readonly ChangeLine[];
}

/** A line of an output that reports changes. */
interface ChangeLine {
  readonly text: string;
  /** Positions of the words that report the change. `null` if only the heading reports it, for the whole line. */
  readonly words: readonly number[] | null;
}

type MessageReading = Omit<OutputReading, 'messages'>;

// Cached by message object: outputs share most of their messages with the original.
const known = new WeakMap<Message, MessageReading>();

export function readCompactedOutput(messages: readonly Message[]): OutputReading {
  const all = messages.map((message) => {
    let reading = known.get(message);
    if (!reading) known.set(message, (reading = readMessage(message)));
    return reading;
  });
  return {
    messages,
    text: all.map(({ text }) => text).join('\n'),
    prose: all.map(({ prose }) => prose).join('\n'),
    shortLines: new Set(all.flatMap(({ shortLines }) => [...shortLines])),
    changeLines: all.flatMap(({ changeLines }) => changeLines),
  };
}

function readMessage(message: Message): MessageReading {
  const texts = textsOf(message, false);
  return {
    text: texts.map(collapse).join('\n'),
    prose: texts.map((text) => collapseMarkdown(text)).join('\n'),
    shortLines: new Set(texts.flatMap(shortLinesOf)),
    // Arguments of calls are read as calls.
    changeLines: texts.slice(0, typeof message.content === 'string' || message.content ? 1 : 0).flatMap(changeLinesOf),
  };
}

/** Maximum length of a short line, with its list mark, in characters. */
const maxShortLineLength = 80;

function shortLinesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.length <= maxShortLineLength)
    .map((line) => collapse(line).replace(/^(?:[-*] |\d{1,6}[.)] )/, ''));
}

const colours = /\u001b\[[0-9;]*m/g;

/** Removes terminal colours and the marks of quoted lines, and collapses whitespace. */
export const collapse = (text: string): string =>
  text
    .replace(colours, '')
    .replace(/^[ \t]*>[ \t]?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** As {@link collapse}, also without Markdown marks for emphasis, code and headings. */
export const collapseMarkdown = (text: string): string =>
  collapse(text.replace(/^#+ /gm, '').replace(/[*`]+|\b_+|_+\b/g, ''));

// Words that say that a file was changed; names of tools that do it are among them.
const change =
  /\b(?:(?:re)?creat(?:ed?|es|ing)|(?:multi|re)?edit(?:ed|s)?|(?:re)?writ(?:e|es|ten|ing)|(?:re|over)?wrote|overwritten|modif(?:y|ied|ies)|chang(?:ed?|es)|updat(?:ed?|es)|delet(?:ed?|es)|remov(?:ed?|es)|renam(?:ed?|es)|mov(?:ed?|es)|patch(?:ed)?|replac(?:ed?|es)|copied|str_replace\w*|write_\w+|edit_\w+)\b/gi;
const negated =
  /\b(?:not|never|nothing|no|without|un)[ -]?(?:been )?(?:chang|modif|edit|writ|creat|delet|remov|updat)\w*/gi;

function changeLinesOf(text: string): ChangeLine[] {
  const lines: ChangeLine[] = [];
  let heading: 'none' | 'section' | 'list' = 'none';
  for (const raw of text.split('\n')) {
    const line = raw.replace(negated, (words) => ' '.repeat(words.length));
    if (/^#{1,6} |^\*\*[^*]{1,80}\*\*:?\s*$/.test(raw)) heading = saysChange(line) ? 'section' : 'none';
    else if (/^[^\n:]{1,80}:\s*$/.test(raw))
      heading = saysChange(line) ? 'list' : heading === 'list' ? 'none' : heading;
    else if (raw.trim() === '' && heading === 'list') heading = 'none';
    if (!/[\w-][./]\w/.test(raw)) continue;
    const words = [...line.matchAll(change)].map(({ index }) => index);
    if (heading !== 'none') lines.push({ text: raw, words: null });
    else if (words.length > 0) lines.push({ text: raw, words });
    else if (shellChanges(raw.replace(/^\s*(?:[-*$]|\d+\.)\s+/, '').slice(0, 2_000)).length > 0)
      lines.push({ text: raw, words: null });
  }
  return lines;
}

const saysChange = (line: string): boolean => line.search(change) >= 0;
