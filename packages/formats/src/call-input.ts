import { isRecord } from './record.ts';

/** Parses the input of a call for dialects that require an object. Other input is wrapped as `{ input }`. */
export function inputObject(written: string): unknown {
  try {
    const input: unknown = JSON.parse(written);
    if (isRecord(input)) return input;
  } catch {
    // Some models write invalid JSON. The text is kept.
  }
  return written.trim() === '' ? {} : { input: written };
}
