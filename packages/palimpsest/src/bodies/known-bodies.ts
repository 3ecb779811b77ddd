import { isRecord } from '@palimpsest/core/authoring';
import type { Wire } from '@palimpsest/formats/wire';

/** What is known about the bodies of an API. */
export type BodyWire = Pick<Wire, 'list' | 'media'>;

/** A request body, parsed. */
export type ParsedBody = Readonly<Record<string, unknown>>;

/** How a body differs from an earlier one. */
export interface Growth {
  /** The {@link ReadBody.version} of the earlier body. */
  readonly from: object;
  /** Bytes of JSON that are not in the earlier body. */
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

/** A body that was read before. */
interface KnownBody {
  readonly list: string;
  readonly body: ParsedBody;
  readonly items: readonly unknown[];
  /** The JSON of each item. */
  readonly texts: readonly string[];
  /** The JSON of the body without its list. */
  readonly frame: string;
  /** Length of the JSON. */
  readonly size: number;
  readonly version: object;
}

/** Maximum total length of the remembered bodies, in characters. */
const mostCharacters = 256 * 1024 * 1024;
const mostBodies = 500;

/** Messages at the end that usually change in the next request: agents move their cache marks. */
const changingEnd = 8;

/**
 * Parses the bodies of conversations. An agent sends its whole history with each request. Messages that an earlier request
 * had are the same objects as before, so nothing that was computed from them is computed again.
 */
export class KnownBodies {
  /** The newest first. */
  #known: readonly KnownBody[] = [];
  readonly #read = new WeakMap<Uint8Array, ReadBody>();

  /**
   * Reads a body, with the same result as `JSON.parse`.
   * @returns `null` for anything but a JSON object
   */
  read(bytes: Buffer, wire: BodyWire): ReadBody | null {
    const parsed = parse(bytes);
    if (!parsed) return null;
    const items = parsed[wire.list];
    const read = Array.isArray(items) ? this.#tryList(parsed, items, wire) : alone(parsed);
    this.#read.set(bytes, read);
    return read;
  }

  /** Returns what {@link read} returned for the same buffer; `undefined` for others. */
  known(bytes: string | Uint8Array): ReadBody | undefined {
    return typeof bytes === 'string' ? undefined : this.#read.get(bytes);
  }

  #tryList(parsed: ParsedBody, items: readonly unknown[], wire: BodyWire): ReadBody {
    try {
      return this.#readList(parsed, items, wire);
    } catch (error) {
      // What is nested too deeply can be parsed, but not written.
      if (error instanceof RangeError) return alone(parsed);
      throw error;
    }
  }

  #readList(parsed: ParsedBody, parsedItems: readonly unknown[], { list, media }: BodyWire): ReadBody {
    const texts = parsedItems.map((item) => JSON.stringify(item));
    const frame = JSON.stringify({ ...parsed, [list]: null });
    const { known, common } = this.#beginningOf(texts, list) ?? { known: null, common: 0 };
    const items = [...(known?.items.slice(0, common) ?? []), ...parsedItems.slice(common)];
    const isSameFrame = known?.frame === frame;
    const body = { ...(isSameFrame ? known.body : parsed), [list]: items };
    const size = texts.reduce((sum, text) => sum + text.length, frame.length);
    const version = {};
    if (items.length > 0) this.#remember({ list, body, items, texts, frame, size, version }, known);
    // A comma precedes each new item.
    const added = texts.slice(common).map((text) => `,${text}`);
    const changed = isSameFrame ? added : [...added, frame];
    const addedBytes = changed.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const growth = known && {
      from: known.version,
      bytes: addedBytes,
      hasMedia: added.some((text) => media.test(text)),
    };
    return { body, version, growth };
  }

  /** The known body whose list begins like that of a new one, and how many messages they have in common. */
  #beginningOf(texts: readonly string[], list: string): { readonly known: KnownBody; readonly common: number } | null {
    for (const known of this.#known) {
      if (known.list !== list) continue;
      const differs = known.texts.findIndex((text, at) => text !== texts[at]);
      const common = differs < 0 ? known.texts.length : differs;
      if (common >= Math.max(1, known.texts.length - changingEnd)) return { known, common };
    }
    return null;
  }

  #remember(body: KnownBody, replaced: KnownBody | null): void {
    let size = 0;
    this.#known = [body, ...this.#known.filter((other) => other !== replaced)].slice(0, mostBodies).filter((known) => {
      size += known.size;
      return size <= mostCharacters;
    });
  }
}

function alone(body: ParsedBody): ReadBody {
  return { body, version: {}, growth: null };
}

function parse(bytes: Buffer): ParsedBody | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
