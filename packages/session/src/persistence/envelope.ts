import { checksum } from '@palimpsest/core';

/** A state as it stands in one slot of a store. */
export interface Envelope {
  /** Counts the writes of a session, so that the newer of two slots is known. */
  readonly sequence: number;
  readonly body: string;
}

const head: RegExp = /^palimpsest-session\/1 (\d{1,15}) (\d{1,12}) ([0-9a-f]{8})\n/;

/** A text in which every missing or changed byte shows. */
export function writeEnvelope({ sequence, body }: Envelope): string {
  return `palimpsest-session/1 ${sequence} ${body.length} ${checksum(body)}\n${body}`;
}

/** What stands in a slot: nothing, an envelope, or something else (`damaged`): a torn write, or another's data. */
export function readEnvelope(value: unknown): Envelope | 'damaged' | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return 'damaged';
  const found = head.exec(value);
  if (!found) return 'damaged';
  const body = value.slice(found[0].length);
  if (body.length !== Number(found[2]) || checksum(body) !== found[3]) return 'damaged';
  return { sequence: Number(found[1]), body };
}
