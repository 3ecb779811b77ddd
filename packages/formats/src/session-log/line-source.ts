import type { PalimpsestError } from '@palimpsest/core';
import type { Decoded } from '../codec.ts';
import { checkRecord, malformationError, type Place } from '../native-error.ts';
import type { Fields } from '../record.ts';
import type { SessionLog, SessionLogFormat } from './session-log.ts';

/** The object of a line, and its location. */
export interface LogLine {
  readonly fields: Fields;
  readonly place: Place;
}

/** Parses lines, numbers them, and counts the skipped ones. */
export class LineSource {
  readonly #format: SessionLogFormat;
  readonly #skipped = new Map<string, number>();
  readonly #versions = new Set<string>();
  #id: string | null = null;
  #folder: string | null = null;
  #line = 0;
  #compactions = 0;
  /** Error of an invalid line. Ignored for the last line, which the agent may still be writing. */
  #broken: PalimpsestError | null = null;

  constructor(format: SessionLogFormat) {
    this.#format = format;
  }

  /** @returns `null` for a blank or truncated line */
  read(line: string | object): LogLine | null {
    this.#line++;
    const place: Place = { format: this.#format, index: this.#line - 1, line: this.#line };
    if (typeof line === 'string' && line.trim() === '') return null;
    if (this.#broken) throw this.#broken;
    const value = typeof line === 'string' ? this.#parse(line, place) : line;
    if (value === undefined) return null;
    checkRecord(value, place);
    return { fields: value, place };
  }

  #parse(line: string, place: Place): unknown {
    try {
      // Files saved by an editor may begin with a byte-order mark.
      return JSON.parse(place.index === 0 ? line.replace(/^\ufeff/, '') : line);
    } catch {
      this.#broken = malformationError(place, '', 'it is not valid JSON');
      return undefined;
    }
  }

  /** Notes what a line says about the session. A later id counts, and the first folder. */
  note({ id, folder, version }: Readonly<Record<'id' | 'folder' | 'version', unknown>>): void {
    if (typeof id === 'string') this.#id = id;
    if (typeof folder === 'string') this.#folder ??= folder;
    if (typeof version === 'string') this.#versions.add(version);
  }

  /** Notes that the agent compacted the conversation. */
  noteCompaction(): void {
    this.#compactions++;
  }

  skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** The session, once all lines were read. @throws {PalimpsestError} if the only line is invalid */
  end<Native>(decoded: Decoded<Native>): SessionLog<Native> {
    if (this.#broken && this.#line <= 1) throw this.#broken;
    if (this.#broken) this.skip('cut-off');
    this.#broken = null;
    return {
      format: this.#format,
      id: this.#id,
      folder: this.#folder,
      versions: [...this.#versions],
      messages: decoded.messages,
      decoded,
      compactions: this.#compactions,
      skipped: Object.fromEntries(this.#skipped),
    };
  }
}
