import { PalimpsestError } from '@palimpsest/core';

/** Where reading stands, so that a refusal can name it. */
export interface Place {
  /** The codec. */
  readonly format: string;
  /** The native message; -1 for what stands beside them. */
  readonly index: number;
  /** The line of a log, counted from 1. */
  readonly line?: number;
}

/**
 * The error for a native conversation that cannot be read.
 * @param field path inside the message, such as `content[2].tool_use_id`
 * @param why continues "the field ..."; never conversation text
 */
export function malformed({ format, index, line }: Place, field: string, why: string): PalimpsestError {
  const where = line !== undefined ? `Line ${line}` : index < 0 ? 'The conversation' : `messages[${index}]`;
  const what = field === '' ? why : `"${field}" ${why}`;
  return new PalimpsestError('MESSAGES_INVALID', `${where} cannot be read as ${format}: ${what}.`, {
    format,
    index,
    field,
    ...(line !== undefined && { line }),
  });
}
