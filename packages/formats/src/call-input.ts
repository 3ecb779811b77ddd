import { parseRecord } from '@palimpsest/core/authoring';

/**
 * Parses the input of a call for dialects that require an object. Other input is wrapped as `{ input }`: some models write
 * invalid JSON, and its text is kept.
 */
export function inputObject(written: string): unknown {
  return parseRecord(written) ?? (written.trim() === '' ? {} : { input: written });
}
