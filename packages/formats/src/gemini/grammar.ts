import { inputObject } from '../call-input.ts';
import { PartPool } from '../content.ts';
import type { Grammar } from '../grammar.ts';
import { fieldsOf } from '../record.ts';
import { callIn, kindOf, nameIn, responseIn, viewPart } from './part.ts';
import { mediaIn, withResponse } from './response.ts';
import { contentParts } from './write.ts';

export const geminiGrammar: Grammar = {
  kindsOf: (parts) => parts.map(kindOf),
  contentBlocks: contentParts,
  poolOf: (parts) => new PartPool(parts, viewPart),
  // The signature stays: a call of the current turn is refused without it.
  withInput(part, written) {
    const call = { ...callIn(part), args: inputObject(written) };
    return { ...part, [nameIn(fieldsOf(part), 'functionCall')]: call };
  },
  withContent(part, content) {
    const response = responseIn(part)!;
    const pool = new PartPool(mediaIn(response), viewPart);
    return {
      ...part,
      [nameIn(fieldsOf(part), 'functionResponse')]: withResponse(response, content, pool, contentParts),
    };
  },
};
