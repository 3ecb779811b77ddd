import { isInsertedMessage, isJson, type SeparatedText } from '@palimpsest/core/authoring';
import type { AgentProfile } from '../agent-profile.ts';
import { startsWithAny } from '../any-of.ts';
import { blockKinds } from './block-kind.ts';
import { foreignHandoffReader } from './foreign-handoff.ts';
import { opensBlock, separateBlocks } from './quoted-blocks.ts';
import { labelSeparator } from './quoted-labels.ts';
import { answerReader } from './wrapped-answer.ts';

/** Creates a test for texts that were written entirely by a harness or a program. */
function createInsertedTextTest(agents: readonly AgentProfile[]): (text: string) => boolean {
  const opens = startsWithAny(agents.flatMap(({ openings = [] }) => openings));
  return (text) => opens(text) || isToolOutput(text);
}

/** True for bare JSON, and for text that ends with a shell prompt. */
function isToolOutput(text: string): boolean {
  // `C#` and `F#` at the end are languages, not prompts.
  if (/\n(?![A-Za-z]#$)[\w.@~:/()-]{0,60}[$#]$/.test(text.slice(-64))) return true;
  const bare =
    text.length > 80 && ((text.startsWith('{') && text.endsWith('}')) || (text.startsWith('[{') && text.endsWith(']')));
  return bare && isJson(text);
}

/** A separated text of a message that may have further texts. */
interface ReadText extends SeparatedText {
  /** True if inserted text begins or continues in the next part: the text ends with a label, or within a quotation. */
  readonly isOpen: boolean;
}

/** Separates a person's words in one text from harness text, tool output and documents. Linear time. */
export type TextSeparator = (text: string) => ReadText;

/** Creates a {@link TextSeparator} from the profiles of agents. */
export function textSeparator(agents: readonly AgentProfile[]): TextSeparator {
  const isInserted = createInsertedTextTest(agents);
  const answerWithin = answerReader(agents);
  const kindOf = blockKinds(agents);
  const separateLabelled = labelSeparator(agents);
  const handoffStart = handoffFinder(agents);
  const whole = (written: string, observed: boolean): ReadText => {
    const text = written.trimEnd();
    const isOpen = observed && (/(?:[:\uff1a]|\*{3,})$/.test(text) || separateLabelled(text).isOpen);
    return { own: '', quoted: [written], observed, isOpen: isOpen || opensBlock(text, kindOf) };
  };
  return (given) => {
    const answer = answerWithin(given.trim());
    if (answer !== null) return { own: answer, quoted: [given.trim()], observed: true, isOpen: false };
    const from = handoffStart(given);
    const written = from < 0 ? given : given.slice(0, from);
    const handoff = from < 0 ? [] : [given.slice(from)];
    const text = written.trim();
    if (text === '') return { own: '', quoted: handoff, observed: false, isOpen: false };
    if (isInserted(text)) return whole(given, true);
    if (isInsertedMessage(text)) return { own: '', quoted: [given], observed: false, isOpen: false };
    const blocks = separateBlocks(written, kindOf);
    const labelled = separateLabelled(blocks.own);
    const own = labelled.own.trim();
    const quoted = [...blocks.quoted, ...labelled.quoted, ...handoff];
    // The text around a block may also come from a harness.
    if (own !== '' && quoted.length > 0 && isInserted(own)) return whole(given, true);
    return {
      own,
      quoted,
      observed: blocks.observed || labelled.observed,
      isOpen: labelled.isOpen || opensBlock(text, kindOf),
    };
  };
}

/** Creates a function that finds another system's summary in a text; it extends to the end. -1 without one. */
function handoffFinder(agents: readonly AgentProfile[]): (text: string) => number {
  const openings = agents.flatMap(({ summaries }) => summaries?.openings ?? []);
  if (openings.length === 0) return () => -1;
  const opening = new RegExp(`^(?:${openings.map(({ source }) => `(?:${source})`).join('|')})`, 'm');
  const readHandoff = foreignHandoffReader(agents);
  return (text) => {
    // If the first one has no contents of a summary, no later one has.
    const from = text.search(opening);
    return from >= 0 && readHandoff(text.slice(from)) ? from : -1;
  };
}
