import { isRecord } from './record.ts';

/** The written input of a call as an object, where a dialect wants one; what is none is put into one. */
export function inputObject(written: string): unknown {
  try {
    const input: unknown = JSON.parse(written);
    if (isRecord(input)) return input;
  } catch {
    // Not every model writes JSON; the text is kept.
  }
  return written.trim() === '' ? {} : { input: written };
}
