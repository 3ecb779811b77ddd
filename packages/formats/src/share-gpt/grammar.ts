import { type Content, contentText, isTextPart, type Part } from '@palimpsest/core';
import { PartPool } from '../content.ts';
import type { BlockKind, Grammar } from '../grammar.ts';
import { freshSegment, type Segment, writeCall } from './segment.ts';

const kinds: Readonly<Record<Segment['type'], BlockKind>> = {
  text: 'said',
  think: 'thought',
  tool_call: 'call',
  listed_call: 'call',
  tool_response: 'result',
  blank: 'aside',
};

export const shareGptGrammar: Grammar = {
  kindsOf: (segments) => segments.map(({ type }) => kinds[type as Segment['type']]),
  contentBlocks(content) {
    const text = textOfContent(content);
    return text.trim() === '' ? [] : [freshSegment('text', text)];
  },
  poolOf: () => new PartPool([]),
  withInput: (call, written) => ({ ...call, text: writeCall((call as Segment).text, written) }) as Part,
  withContent: (result, content) => ({ ...result, text: textOfContent(content) }) as Part,
};

/** Converts content to text, the only kind of content in this format. */
export function textOfContent(content: Content): string {
  if (!Array.isArray(content)) return contentText(content);
  return (content as readonly Part[])
    .map((part) => (isTextPart(part) ? part.text : `[${part.type}: cannot be shown here]`))
    .join('\n\n');
}
