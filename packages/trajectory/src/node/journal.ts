import type { RunTotals } from '../metrics.ts';

/** What a journal begins with: what is written, and from what. */
export interface JournalHeader {
  readonly version: 1;
  /** Everything that decides what the output looks like, in one digest. */
  readonly fingerprint: string;
  /** The process that writes. */
  readonly writer: string;
}

/** How far the output is: what stands behind these sizes was written after the last record, and is cut off. */
export interface JournalRecord {
  /** Bytes of the unpacked input that are done. */
  readonly offset: number;
  /** Number of the next line. */
  readonly line: number;
  readonly outputBytes: number;
  readonly metricsBytes: number;
  readonly rejectsBytes: number;
  readonly totals: RunTotals;
  /** True when the whole input is done. */
  readonly done?: boolean | undefined;
}

export interface Journal {
  readonly header: JournalHeader;
  /** Oldest first. */
  readonly records: readonly JournalRecord[];
}

/** Reads a journal; `null` for what is none. A last line that was cut off in the middle does not count. */
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
