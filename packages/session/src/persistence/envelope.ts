import type { Sign } from './sign.ts';

/** The content of one slot of a store. */
export interface Envelope {
  /** Counts the writes of a session. The slot with the higher number is newer. */
  readonly sequence: number;
  /** Id of the session object that wrote the envelope. Lower-case letters and digits. */
  readonly writer: string;
  readonly body: string;
}

const head: RegExp = /^palimpsest-session\/2 (\d{1,15}) ([0-9a-z]{1,32}) (\d{1,12}) ([0-9a-f]{8,64})\n/;

/** Formats a slot with its length and signature, to detect missing or changed text. */
export async function writeEnvelope(envelope: Envelope, sign: Sign): Promise<string> {
  const { sequence, writer, body } = envelope;
  return `palimpsest-session/2 ${sequence} ${writer} ${body.length} ${await sign(signedText(envelope))}\n${body}`;
}

/**
 * Reads a slot: `null` when it is empty, or `damaged` for a torn write, foreign data or a state signed with another
 * key.
 * @throws an error that a driver returned as a value instead of throwing it, as the file driver of `unstorage` does
 */
export async function readEnvelope(value: unknown, sign: Sign): Promise<Envelope | 'damaged' | null> {
  if (value === null || value === undefined) return null;
  if (value instanceof Error) throw value;
  if (typeof value !== 'string') return 'damaged';
  const found = head.exec(value);
  if (!found) return 'damaged';
  const body = value.slice(found[0].length);
  const envelope = { sequence: Number(found[1]), writer: found[2]!, body };
  if (body.length !== Number(found[3]) || (await sign(signedText(envelope))) !== found[4]) return 'damaged';
  return envelope;
}

function signedText({ sequence, writer, body }: Envelope): string {
  return `${sequence} ${writer}\n${body}`;
}
