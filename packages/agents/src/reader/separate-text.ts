import type { SeparatedText } from '@palimpsest/core/authoring';
import { answerWithin, isHarnessText } from './harness-text.ts';
import { separateBlocks } from './quoted-blocks.ts';
import { separateLabelled } from './quoted-labels.ts';

/** Separates a person's words in one text from harness text, tool output and documents. Linear. */
export function separateText(written: string): SeparatedText {
  const text = written.trim();
  const answered = answerWithin(text);
  if (answered !== null) return { own: answered, quoted: [text], observed: true };
  if (isHarnessText(text)) return { own: '', quoted: [written], observed: true };
  const blocks = separateBlocks(written);
  const labelled = separateLabelled(blocks.own);
  const own = labelled.own.trim();
  const quoted = [...blocks.quoted, ...labelled.quoted];
  // The text around a block can be a harness's as well.
  if (own !== '' && quoted.length > 0 && isHarnessText(own)) return { own: '', quoted: [written], observed: true };
  return { own, quoted, observed: blocks.observed || labelled.observed };
}
