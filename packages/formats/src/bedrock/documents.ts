import type { Part } from '@palimpsest/core';
import { fieldsIn, fieldsOf, recordsIn } from '../record.ts';
import { resultIn } from './block.ts';
import type { BedrockBlock } from './conversation.ts';

const maxNameLength = 200;

/** True for a block with a document. Its result may have one, too: see {@link documentsIn}. */
export function isDocument(block: BedrockBlock): boolean {
  return fieldsOf(block).document !== undefined;
}

/** The blocks with documents, also those in results. */
export function documentsIn(blocks: readonly BedrockBlock[]): readonly BedrockBlock[] {
  return blocks.flatMap((block) => (isDocument(block) ? [block] : documentsIn(recordsIn(resultIn(block)?.content))));
}

export function nameOf(block: BedrockBlock): unknown {
  return fieldsIn(fieldsOf(block).document).name;
}

/** True for a name that Bedrock accepts: letters, digits, hyphens, brackets, and single spaces. */
export function isDocumentName(name: unknown): boolean {
  return typeof name === 'string' && name.length <= maxNameLength && /^(?:[a-zA-Z0-9()[\]-]|\s(?!\s))+$/.test(name);
}

/** Turns a file name into a name that Bedrock accepts. */
export function documentName(filename: string): string {
  const name = filename
    .replace(/[^a-zA-Z0-9\s()[\]-]+/g, '-')
    .replace(/\s+/g, ' ')
    .slice(0, maxNameLength);
  return /[a-zA-Z0-9]/.test(name) ? name : 'document';
}

/**
 * Makes the documents of new messages follow two rules of Bedrock: a request has each name once, and a message with a document
 * has a text. Messages of the caller stay as they are.
 */
export function fitDocuments<Native extends { readonly content: readonly Part[] }>(
  messages: readonly Native[],
  natives: readonly Native[],
): readonly Native[] {
  const given = new Set(natives);
  const known = new Set(natives.flatMap(({ content }) => documentsIn(content)));
  const names = new Set([...known].map(nameOf));
  const fit = (block: Part): Part => {
    if (documentsIn([block]).every((document) => known.has(document))) return block;
    const result = resultIn(block);
    if (result)
      return { ...block, toolResult: { ...result, content: (result.content as readonly Part[]).map(fit) } } as Part;
    const name = freeName(String(nameOf(block)), names);
    names.add(name);
    return { document: { ...fieldsIn(fieldsOf(block).document), name } } as object as Part;
  };
  return messages.map((message) => {
    if (given.has(message) || documentsIn(message.content).length === 0) return message;
    return { ...message, content: withText(message.content.map(fit)) };
  });
}

function freeName(name: string, taken: ReadonlySet<unknown>): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `-${number}`;
    const free = `${name.slice(0, maxNameLength - end.length)}${end}`;
    if (!taken.has(free)) return free;
  }
}

/** Puts a text before the first document of a message without texts. */
function withText(blocks: readonly Part[]): readonly Part[] {
  const at = blocks.findIndex(isDocument);
  if (at < 0 || blocks.some((block) => 'text' in block)) return blocks;
  return [...blocks.slice(0, at), { text: '[document]' } as object as Part, ...blocks.slice(at)];
}
