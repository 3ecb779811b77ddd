import type { PalimpsestError } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { malformed, type Place } from '../native-error.ts';
import type { Fields } from '../record.ts';
import type { SessionLogFormat } from './session-log.ts';

/** The object of a line, and its location. */
export interface LogLine {
  readonly fields: Fields;
  readonly place: Place;
}

/** Parses lines, numbers them, and counts the skipped ones. */
export class LineSource {
  readonly #format: SessionLogFormat;
  readonly #skipped = new Map<string, number>();
  #line = 0;
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
    if (!isRecord(value)) throw malformed(place, '', 'it is not an object');
    return { fields: value, place };
  }

  #parse(line: string, place: Place): unknown {
    try {
      // Files saved by an editor may begin with a byte-order mark.
      return JSON.parse(place.index === 0 ? line.replace(/^\ufeff/, '') : line);
    } catch {
      this.#broken = malformed(place, '', 'it is not valid JSON');
      return undefined;
    }
  }

  skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** @throws {PalimpsestError} if the only line is invalid */
  end(): Readonly<Record<string, number>> {
    if (this.#broken && this.#line <= 1) throw this.#broken;
    if (this.#broken) this.skip('cut-off');
    this.#broken = null;
    return Object.fromEntries(this.#skipped);
  }
}
