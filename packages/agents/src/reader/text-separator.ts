import { isInsertedMessage, type SeparatedText } from '@palimpsest/core/authoring';
import type { AgentProfile } from '../agent-profile.ts';
import { blockKinds } from './block-kind.ts';
import { insertedTextMatcher } from './inserted-text.ts';
import { separateBlocks } from './quoted-blocks.ts';
import { separateLabelled } from './quoted-labels.ts';
import { answerReader } from './wrapped-answer.ts';

/**
 * Creates a function that separates a person's words in one text from harness text, tool output and documents. Linear
 * time.
 */
export function textSeparator(agents: readonly AgentProfile[]): (text: string) => SeparatedText {
  const isInserted = insertedTextMatcher(agents);
  const answerWithin = answerReader(agents);
  const kindOf = blockKinds(agents);
  return (written) => {
    const text = written.trim();
    const answer = answerWithin(text);
    if (answer !== null) return { own: answer, quoted: [text], observed: true };
    if (isInserted(text)) return { own: '', quoted: [written], observed: true };
    if (isInsertedMessage(text)) return { own: '', quoted: [written], observed: false };
    const blocks = separateBlocks(written, kindOf);
    const labelled = separateLabelled(blocks.own);
    const own = labelled.own.trim();
    const quoted = [...blocks.quoted, ...labelled.quoted];
    // The text around a block may also come from a harness.
    if (own !== '' && quoted.length > 0 && isInserted(own)) return { own: '', quoted: [written], observed: true };
    return { own, quoted, observed: blocks.observed || labelled.observed };
  };
}
