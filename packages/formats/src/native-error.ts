import { PalimpsestError } from '@palimpsest/core';

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
