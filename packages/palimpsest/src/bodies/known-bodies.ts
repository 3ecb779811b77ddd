import { randomUUID } from 'node:crypto';
import type { Wire } from '@palimpsest/formats/wire';
import { findItems, findList } from './json-list.ts';

/** What is known about the bodies of an API. */
export type BodyWire = Pick<Wire, 'list' | 'media'>;

/** A request body, parsed. */
export type ParsedBody = Readonly<Record<string, unknown>>;

/** How a body differs from an earlier one. */
export interface Growth {
  /** The {@link ReadBody.version} of the earlier body. */
  readonly from: object;
  /** Bytes that are not in the earlier body. */
  readonly bytes: number;
  /** True when these bytes may contain a picture or a file, which can have more tokens than bytes. */
  readonly hasMedia: boolean;
}

/** A body that was read. */
export interface ReadBody {
  readonly body: ParsedBody;
  /** Identifies the body in a {@link Growth}. */
  readonly version: object;
  /** `null` for the first body of a conversation. */
  readonly growth: Growth | null;
}

/** A body that was read before, and the positions of its parts. */
interface KnownBody {
  readonly list: string;
  readonly bytes: Buffer;
  /** Index after the opening bracket of the list. */
  readonly from: number;
  /** Index of the closing bracket. */
  readonly to: number;
  readonly ends: readonly number[];
  readonly items: readonly unknown[];
  /** The parsed body with a mark in place of the list. */
  readonly frame: ParsedBody;
  readonly version: object;
}

/** Maximum total size of the remembered bodies, in bytes. */
const mostBytes = 256 * 1024 * 1024;
const mostBodies = 500;

/** Messages at the end that usually change in the next request: agents move their cache marks. */
const changingEnd = 8;
/** Bytes before the end of a message that are compared first. */
const probe = 64;

/**
 * Parses the bodies of conversations. An agent sends its whole history with each request, and only its end has new
 * bytes. Unchanged messages are not parsed again: they are the same objects as before.
 */
export class KnownBodies {
  /** Replaces the list in a frame. It is random, so that no client can send it. */
  readonly #mark = randomUUID();
  /** The newest first. */
  #known: readonly KnownBody[] = [];
  readonly #read = new WeakMap<Uint8Array, ReadBody>();

  /**
   * Reads a body, with the same result as `JSON.parse`.
   * @returns `null` for anything but a JSON object
   */
  read(bytes: Buffer, wire: BodyWire): ReadBody | null {
    const from = findList(bytes, wire.list);
    const read = (from < 0 ? null : this.#readList(bytes, from, wire)) ?? readWhole(bytes);
    if (read) this.#read.set(bytes, read);
    return read;
  }

  /** Returns what {@link read} returned for the same buffer; `undefined` for others. */
  known(bytes: string | Uint8Array): ReadBody | undefined {
    return typeof bytes === 'string' ? undefined : this.#read.get(bytes);
  }

  /** The known body whose list begins like that of a new one, and how many messages they have in common. */
  #beginningOf(
    bytes: Buffer,
    from: number,
    list: string,
  ): { readonly known: KnownBody; readonly common: number } | null {
    for (const known of this.#known) {
      if (known.list !== list) continue;
      const end = known.ends[Math.max(0, known.ends.length - 1 - changingEnd)]!;
      if (!isSame(known, bytes, from, Math.max(known.from, end - probe), end)) continue;
      const common = commonItems(known, bytes, from);
      if (common >= Math.max(1, known.ends.length - changingEnd)) return { known, common };
    }
    return null;
  }

  #readList(bytes: Buffer, from: number, { list, media }: BodyWire): ReadBody | null {
    const { known, common } = this.#beginningOf(bytes, from, list) ?? { known: null, common: 0 };
    const shift = from - (known?.from ?? 0);
    const place = findItems(
      bytes,
      from,
      known?.ends.slice(0, common).map((end) => end + shift),
    );
    if (!place) return null;
    const { to, ends } = place;
    try {
      const added = bytes.subarray(common > 0 ? ends[common - 1]! : from, to).toString();
      const items = [...(known?.items.slice(0, common) ?? []), ...parsedItems(added, common > 0)];
      const same = known && sameFrame(known, bytes, from, to);
      const frame = same ?? this.#frame(bytes, from, to);
      // The field occurs twice, or also with its name escaped.
      if (frame[list] !== this.#mark) return null;
      const version = {};
      if (items.length > 0) this.#remember({ list, bytes, from, to, ends, items, frame, version }, known);
      const changed = Buffer.byteLength(added) + (same ? 0 : bytes.length - (to - from));
      const growth = known && { from: known.version, bytes: changed, hasMedia: media.test(added) };
      return { body: { ...frame, [list]: items }, version, growth };
    } catch {
      return null;
    }
  }

  #frame(bytes: Buffer, from: number, to: number): ParsedBody {
    const [head, tail] = [bytes.subarray(0, from - 1), bytes.subarray(to + 1)];
    return JSON.parse(`${head.toString()}"${this.#mark}"${tail.toString()}`) as ParsedBody;
  }

  #remember(body: KnownBody, replaced: KnownBody | null): void {
    const known = [body, ...this.#known.filter((other) => other !== replaced)].slice(0, mostBodies);
    let size = 0;
    this.#known = known.filter(({ bytes }) => {
      size += bytes.length;
      return size <= mostBytes;
    });
  }
}

/** @param isContinued true when a comma precedes the first item */
function parsedItems(text: string, isContinued: boolean): unknown[] {
  return JSON.parse(`[${isContinued ? text.replace(/^\s*,/, '') : text}]`) as unknown[];
}

/** The frame of a known body, when everything around the list is the same. */
function sameFrame(known: KnownBody, bytes: Buffer, from: number, to: number): ParsedBody | null {
  const isSameHead = known.from === from && known.bytes.subarray(0, from).equals(bytes.subarray(0, from));
  return isSameHead && known.bytes.subarray(known.to).equals(bytes.subarray(to)) ? known.frame : null;
}

/** Number of leading items with the same bytes. */
function commonItems(known: KnownBody, bytes: Buffer, from: number): number {
  const { ends } = known;
  const startOf = (count: number): number => (count === 0 ? known.from : ends[count - 1]!);
  let [same, most] = [0, ends.length];
  // Most of the time, all of them are the same.
  for (let tried = most; same < most; tried = Math.ceil((same + most) / 2)) {
    if (isSame(known, bytes, from, startOf(same), startOf(tried))) same = tried;
    else most = tried - 1;
  }
  return same;
}

/** True if both lists have the same bytes in a range, given by indices of the known body. */
function isSame(known: KnownBody, bytes: Buffer, from: number, start: number, end: number): boolean {
  const shift = from - known.from;
  if (end + shift > bytes.length) return false;
  return known.bytes.compare(bytes, start + shift, end + shift, start, end) === 0;
}

function readWhole(bytes: Buffer): ReadBody | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { body: value as ParsedBody, version: {}, growth: null } : null;
  } catch {
    return null;
  }
}
