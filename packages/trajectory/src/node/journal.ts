import type { RunTotals } from '../metrics.ts';

/** The first line of a journal. */
export interface JournalHeader {
  readonly version: 1;
  /** The fingerprint of the recipe and the input. */
  readonly fingerprint: string;
  /** The mark of the process that writes the journal. */
  readonly writer: string;
}

/** The progress of a shard. Bytes beyond these sizes were written after the record, and are cut off on resume. */
export interface JournalRecord {
  /** Bytes of the unpacked input that are finished. */
  readonly offset: number;
  /** Number of the next line. */
  readonly line: number;
  readonly outputBytes: number;
  readonly metricsBytes: number;
  readonly rejectsBytes: number;
  readonly totals: RunTotals;
  /** True if the whole input is finished. */
  readonly done?: boolean | undefined;
}

/** The contents of a journal file. */
export interface Journal {
  readonly header: JournalHeader;
  /** Oldest first. */
  readonly records: readonly JournalRecord[];
}

/** Reads a journal; `null` for any other text. An incomplete last line is ignored. */
export function readJournal(text: string): Journal | null {
  const lines = text.split('\n').slice(0, -1);
  try {
    const [header, ...records] = lines.map((line) => JSON.parse(line) as unknown);
    if ((header as JournalHeader | undefined)?.version !== 1) return null;
    return { header: header as JournalHeader, records: records as JournalRecord[] };
  } catch {
    return null;
  }
}
