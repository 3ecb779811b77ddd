import type { SeparatedText } from '@palimpsest/core/authoring';
import type { AgentProfile } from '../agent-profile.ts';
import { anyName, startsWithAny } from '../any-of.ts';
import { separateAcross } from './across-parts.ts';
import { blockKinds } from './block-kind.ts';
import type { TextSeparator } from './text-separator.ts';
import { answerReader } from './wrapped-answer.ts';

/** What a part of a message said about the parts after it. */
interface Announced {
  /** The part, which ends with a label or within a quotation. */
  readonly label: string;
  readonly owner: Owner | null;
  /** True if the next part is the content, whatever it says. */
  readonly isNext: boolean;
  /** True if a text without words followed. It may have been the content: a handoff was removed from it. */
  readonly mayBeOver?: boolean;
}

/** The agent whose label announces the parts after it. Only its own marks end what it announced. */
interface Owner {
  opens(text: string): boolean;
  answerWithin(text: string): string | null;
  isBlock(text: string): boolean;
}

/**
 * Creates a function that separates the texts of one message, in order. A part that only announces output or a document
 * governs the parts after it, until a part begins with another text of the same agent: parts are written by a harness,
 * but what is in them may be written by anybody. Linear time.
 */
export function partSeparator(
  agents: readonly AgentProfile[],
  separate: TextSeparator,
): (texts: readonly string[]) => SeparatedText[] {
  const answerWithin = answerReader(agents);
  const kindOf = blockKinds(agents);
  let owners: readonly Owner[] | null = null;
  return (texts) => {
    let announced: Announced | null = null;
    return separateAcross(texts, kindOf).map(({ own, quoted, observed }): SeparatedText => {
      const text = own.trim();
      if (text === '') {
        if (announced) announced = { ...announced, mayBeOver: true };
        return { own: '', quoted, observed };
      }
      const inserted: SeparatedText = { own: '', quoted: [...quoted, own], observed: true };
      const withAnswer = (answer: string | null): SeparatedText =>
        answer === null ? inserted : { ...inserted, own: answer };
      const isLabel = (owner: Owner | null): boolean => (owner?.opens(text) && separate(text).isOpen) ?? false;
      if (announced?.isNext && !(announced.mayBeOver && isLabel(announced.owner))) {
        const { label, owner } = announced;
        announced = { label, owner, isNext: false };
        return withAnswer(answerWithin(`${label}\n${text}`));
      }
      if (announced) {
        const { owner } = announced;
        const answer = owner?.answerWithin(text) ?? null;
        if (answer !== null || owner?.isBlock(text)) {
          announced = null;
          return withAnswer(answer);
        }
        if (isLabel(owner)) announced = { label: text, owner, isNext: true };
        return inserted;
      }
      const read = separate(own);
      if (read.isOpen) {
        owners ??= agents.map(ownerOf);
        const lastLine = text.slice(text.lastIndexOf('\n') + 1);
        const owner = owners.find((one) => one.opens(text)) ?? owners.find((one) => one.opens(lastLine)) ?? null;
        announced = { label: text, owner, isNext: true };
      }
      return { own: read.own, quoted: [...quoted, ...read.quoted], observed: observed || read.observed };
    });
  };
}

function ownerOf(agent: AgentProfile): Owner {
  const { openings = [], labels = [], tags } = agent;
  const names = [...(tags?.beside ?? []), ...(tags?.observed ?? [])];
  const block =
    names.length === 0 ? null : new RegExp(`^<(${anyName(names)})\\b[^<>]*>[\\s\\S]*</(${anyName(names)})>$`, 'i');
  return {
    opens: startsWithAny([...openings, ...labels]),
    answerWithin: answerReader([agent]),
    isBlock: (text) => block?.test(text) ?? false,
  };
}
