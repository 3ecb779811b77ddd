import { checksum } from '@palimpsest/core/authoring';
import type { HiddenText } from '../hidden/hidden-text.ts';

/** A text as it is stored, with secrets masked. */
export interface ArchiveRecord extends HiddenText {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly keptAt: number;
}

const head: RegExp = /^palimpsest-recall\/1 (\d{1,12}) ([0-9a-f]{8})\n/;

/** Formats a record with its length and checksum, to detect missing or changed characters. */
export function writeRecord(record: ArchiveRecord): string {
  const body = JSON.stringify(record);
  return `palimpsest-recall/1 ${body.length} ${checksum(body)}\n${body}`;
}

/** Reads a record: `null` if nothing is stored, `damaged` for anything that {@link writeRecord} did not write. */
export function readRecord(value: unknown): ArchiveRecord | 'damaged' | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return 'damaged';
  const found = head.exec(value);
  const body = found ? value.slice(found[0].length) : '';
  if (!found || body.length !== Number(found[1]) || checksum(body) !== found[2]) return 'damaged';
  try {
    const record = JSON.parse(body) as ArchiveRecord;
    const texts = [record.sessionId, record.tool, record.head, record.text];
    return texts.every((text) => typeof text === 'string') && Number.isFinite(record.keptAt) ? record : 'damaged';
  } catch {
    return 'damaged';
  }
}
