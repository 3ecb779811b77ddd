import type { Sign } from './sign.ts';

/** A state as it is stored, with the session object that wrote it. */
export interface Envelope {
  /** Lower-case letters and digits. */
  readonly writer: string;
  readonly body: string;
}

const head: RegExp = /^palimpsest-session\/1 ([0-9a-z]{1,32}) ([0-9a-f]{8,64})\n/;

/** Formats a state with its signature, to detect missing or changed text. */
export async function writeEnvelope({ writer, body }: Envelope, sign: Sign): Promise<string> {
  return `palimpsest-session/1 ${writer} ${await sign(`${writer}\n${body}`)}\n${body}`;
}

/** Reads a stored state; `null` for one that was cut off, changed, or signed with another key, and for foreign data. */
export async function readEnvelope(text: string, sign: Sign): Promise<Envelope | null> {
  const found = head.exec(text);
  if (!found) return null;
  const envelope = { writer: found[1]!, body: text.slice(found[0].length) };
  return (await sign(`${envelope.writer}\n${envelope.body}`)) === found[2] ? envelope : null;
}
