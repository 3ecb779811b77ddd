import type { PalimpsestError } from '@palimpsest/core';
import { malformed, type Place } from '../native-error.ts';
import { type Fields, isRecord } from '../record.ts';
import type { SessionLogFormat } from './session-log.ts';

/** A line that holds an object, and where it stands. */
export interface LogLine {
  readonly fields: Fields;
  readonly place: Place;
}

/** Turns lines into objects, numbers them, and counts what is left out. */
export class LineSource {
  readonly #format: SessionLogFormat;
  readonly #skipped = new Map<string, number>();
  #line = 0;
  /** The last line was no JSON: fine for the line an agent is just writing, and for no other. */
  #broken: PalimpsestError | null = null;

  constructor(format: SessionLogFormat) {
    this.#format = format;
  }

  /** @returns `null` for a line without anything on it */
  read(line: string | object): LogLine | null {
    this.#line++;
    const place: Place = { format: this.#format, index: this.#line - 1, line: this.#line };
    if (typeof line === 'string' && line.trim() === '') return null;
    if (this.#broken) throw this.#broken;
    const value = typeof line === 'string' ? this.#parse(line, place) : line;
    if (value === undefined) return null;
    if (!isRecord(value)) throw malformed(place, '', 'it is no object');
    return { fields: value, place };
  }

  #parse(line: string, place: Place): unknown {
    try {
      // Files that went through an editor may begin with a byte-order mark.
      return JSON.parse(place.index === 0 ? line.replace(/^\ufeff/, '') : line);
    } catch {
      this.#broken = malformed(place, '', 'it is no JSON');
      return undefined;
    }
  }

  skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** @throws {PalimpsestError} when the only line there is is broken */
  end(): Readonly<Record<string, number>> {
    if (this.#broken && this.#line <= 1) throw this.#broken;
    if (this.#broken) this.skip('cut-off');
    this.#broken = null;
    return Object.fromEntries(this.#skipped);
  }
}
