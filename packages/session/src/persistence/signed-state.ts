import type { SessionStore } from '../options/session-store.ts';
import type { Sign } from './sign.ts';

/** A state as it is stored, with the session object that wrote it. */
interface Envelope {
  /** Lower-case letters and digits. */
  readonly writer: string;
  readonly body: string;
}

const head: RegExp = /^palimpsest-session\/1 ([0-9a-z]{1,32}) ([0-9a-f]{8,64})\n/;

/** The content of a store for one session. */
export interface Loaded {
  /** The stored state, or `null`. */
  readonly body: string | null;
  /** What was wrong with the stored text; `null` when nothing was. */
  readonly problem: string | null;
  /** `null` if nothing is stored. */
  readonly version: string | null;
  /** True for a text that this session object wrote. */
  readonly isOwn: boolean;
}

const damaged = 'The stored data is not the state of a session, was cut off, or was signed with another key.';

/** The signed state of one session in its store. Detects other writers. */
export class SignedState {
  readonly #store: SessionStore;
  readonly #id: string;
  readonly #sign: Sign;
  readonly #writer: string = globalThis.crypto.randomUUID().replaceAll('-', '');
  /** The version of the last text that this session read or wrote. */
  #version: string | null = null;

  constructor(store: SessionStore, id: string, sign: Sign) {
    this.#store = store;
    this.#id = id;
    this.#sign = sign;
  }

  async read(): Promise<Loaded> {
    const stored = await this.#store.load(this.#id);
    const version = stored?.version ?? null;
    this.#version = version;
    if (!stored) return { body: null, problem: null, version, isOwn: false };
    const envelope = await readEnvelope(stored.text, this.#sign);
    const isOwn = envelope?.writer === this.#writer;
    return { body: envelope?.body ?? null, problem: envelope ? null : damaged, version, isOwn };
  }

  /** Removes the state. */
  async delete(): Promise<void> {
    this.#version = null;
    await this.#store.delete(this.#id);
  }

  /** Writes the state if the stored version is still `before`. @returns the new version; `null` if it is not */
  async swap(body: string, before: string | null): Promise<string | null> {
    return this.#store.save(this.#id, await writeEnvelope({ writer: this.#writer, body }, this.#sign), before);
  }

  /** @returns the id of another writer that has written since this session's last read or write; otherwise `null` */
  async write(body: string): Promise<string | null> {
    const text = await writeEnvelope({ writer: this.#writer, body }, this.#sign);
    const version = await this.#store.save(this.#id, text, this.#version);
    if (version !== null) {
      this.#version = version;
      return null;
    }
    // Another writer was faster, or an earlier write of this session ended after its timeout.
    const found = await this.#store.load(this.#id);
    const before = found?.version ?? null;
    this.#version = (await this.#store.save(this.#id, text, before)) ?? before;
    const other = found && (await readEnvelope(found.text, this.#sign));
    return other && other.writer !== this.#writer ? other.writer : null;
  }
}

/** Compresses a state and adds its signature, to detect missing or changed text. */
async function writeEnvelope({ writer, body }: Envelope, sign: Sign): Promise<string> {
  const deflated = await deflateText(body);
  return `palimpsest-session/1 ${writer} ${await sign(`${writer}\n${deflated}`)}\n${deflated}`;
}

/** Reads a stored state; `null` for one that was cut off, changed, or signed with another key, and for foreign data. */
async function readEnvelope(text: string, sign: Sign): Promise<Envelope | null> {
  const [all = '', writer = '', signature] = head.exec(text) ?? [];
  const deflated = text.slice(all.length);
  if (!writer || (await sign(`${writer}\n${deflated}`)) !== signature) return null;
  const body = await inflateText(deflated);
  return body === null ? null : { writer, body };
}

/** Maximum length of an inflated text, in bytes. A damaged one could be of any length. */
const maxBytes = 100_000_000;

/** Compresses a text. @returns base64 */
export async function deflateText(text: string): Promise<string> {
  const chunks = await readAll(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate')));
  return btoa(chunks.map((chunk) => Array.from(chunk, (byte) => String.fromCharCode(byte)).join('')).join(''));
}

/** Reverses {@link deflateText}; `null` for a damaged text. */
export async function inflateText(deflated: string): Promise<string | null> {
  try {
    const bytes = Uint8Array.from(atob(deflated), (character) => character.charCodeAt(0));
    const chunks = await readAll(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')));
    return await new Blob(chunks).text();
  } catch {
    return null;
  }
}

async function readAll(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    chunks.push(value);
    length += value.length;
    if (length <= maxBytes) continue;
    await reader.cancel();
    throw new RangeError(`The text has more than ${maxBytes} bytes.`);
  }
}
