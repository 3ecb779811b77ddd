import { checksum, isRecord, jsonText, parseRecord } from '@palimpsest/core/authoring';
import { type Fields, recordsIn } from '../record.ts';
import { textIn } from '../wire/answers.ts';

/** What a compaction stands for, as its opaque content has it. */
export interface KeptItems {
  /** The messages or items that replace it when a client sends it back. */
  readonly items: readonly Fields[];
  /** Keys of the messages that it replaces; see {@link itemKey}. */
  readonly covered: readonly string[];
}

const mark = 'palimpsest:1:';

/** Writes the opaque content of a compaction. */
export function writeKept({ items, covered }: KeptItems): string {
  return mark + jsonText({ items, covered });
}

/** Reads what {@link writeKept} wrote; `null` for anything else, such as the content of a provider's own compaction. */
export function readKept(text: unknown): KeptItems | null {
  if (typeof text !== 'string' || !text.startsWith(mark)) return null;
  const { items, covered } = parseRecord(text.slice(mark.length)) ?? {};
  if (!Array.isArray(items) || !items.every(isRecord) || !Array.isArray(covered)) return null;
  return { items: recordsIn(items), covered: covered.map(String) };
}

/** The key of a message: its role and its words, the same however a client writes them. */
export function itemKey({ role, content }: Fields): string {
  return checksum(`${String(role)} ${textIn(content)}`);
}
