import type { Part } from '@palimpsest/core';
import { PartPool } from '../content.ts';
import type { Grammar } from '../grammar.ts';
import { standsFor } from '../marks.ts';
import { fieldsOf } from '../record.ts';
import { inputObject } from '../write-message.ts';
import { contentParts } from './write.ts';

export const piGrammar: Grammar = {
  kindsOf: (parts) =>
    parts.map(({ type }) => (type === 'toolCall' ? 'call' : type === 'thinking' ? 'thought' : 'said')),
  contentBlocks: contentParts,
  poolOf: (parts) => new PartPool(parts, viewPart),
  withInput: (call, written) => ({ ...call, arguments: inputObject(written) }) as Part,
  // A result is a separate message.
  withContent: (result) => result,
};

/** Converts a part for core. The provider's id of a text is not part of its content. */
export function viewPart(part: Part): Part {
  if (part.type !== 'text' || !('textSignature' in part)) return part;
  return standsFor({ type: 'text', text: fieldsOf(part).text } as Part, part);
}
