import { PalimpsestError } from '@palimpsest/core';
import { type Fields, isRecord } from '@palimpsest/core/authoring';

/** Location in the input, for error messages. */
export interface Place {
  /** Name of the codec or reader. */
  readonly format: string;
  /** Index of the native message; -1 for fields outside the messages. */
  readonly index: number;
  /** The line of a log, counted from 1. */
  readonly line?: number;
}

/**
 * Creates the error for a native conversation that cannot be read.
 * @param field path inside the message, such as `content[2].tool_use_id`; empty for the message itself
 * @param why completes the sentence that begins with the field; never conversation text
 */
export function malformationError({ format, index, line }: Place, field: string, why: string): PalimpsestError {
  const where = line !== undefined ? `Line ${line}` : index < 0 ? 'The conversation' : `messages[${index}]`;
  const what = field === '' ? why : `"${field}" ${why}`;
  return new PalimpsestError('MESSAGES_INVALID', `${where} cannot be read as ${format}: ${what}.`, {
    format,
    index,
    field,
    ...(line !== undefined && { line }),
  });
}

/** Throws unless a value is an object. @param field as in {@link malformationError} */
export function checkRecord(value: unknown, place: Place, field = ''): asserts value is Fields {
  if (!isRecord(value))
    throw malformationError(place, field, field === '' ? 'it is not an object' : 'is not an object');
}

/** Throws unless the named fields are strings. @param path prefix of the names in errors, such as `payload.` */
export function checkTexts(fields: Fields, names: readonly string[], place: Place, path = ''): void {
  for (const name of names)
    if (typeof fields[name] !== 'string') throw malformationError(place, path + name, 'is not a string');
}

/** Throws unless a conversation is an object with a list of messages. @param name the field with the list */
export function checkList(native: unknown, place: Place, name = 'messages'): asserts native is Fields {
  if (!isRecord(native)) throw malformationError(place, '', `it is not an object with "${name}"`);
  if (!Array.isArray(native[name])) throw malformationError(place, name, 'is not an array');
}
