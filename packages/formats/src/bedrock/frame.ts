import { joinBytes } from '../wire/join-bytes.ts';

/** One message of a stream of Amazon's (`application/vnd.amazon.eventstream`). */
export interface Frame {
  /** The type of the event or exception, such as `contentBlockDelta` or `throttlingException`. */
  readonly type: string;
  /** JSON. */
  readonly payload: string;
}

/** Lengths and a checksum come before the headers of a message, another checksum after its payload. */
const preludeBytes = 12;
const checksumBytes = 4;

/** The length of a header's value by its type; -1 for one that begins with its length in two bytes. */
const valueBytes: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16];
const stringType = 7;

const polynomial = 0xedb88320;

const table: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
  return value;
});

/** CRC-32, as in zip files. */
function crc32(bytes: Uint8Array): number {
  let value = -1;
  for (const byte of bytes) value = table[(value ^ byte) & 255]! ^ (value >>> 8);
  return (value ^ -1) >>> 0;
}

/**
 * Finds the messages of a stream in its bytes, as they come in pieces.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html describes them.
 */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #onFrame: (frame: Frame) => void;
  #held: Uint8Array = new Uint8Array();

  constructor(maxBytes: number, onFrame: (frame: Frame) => void) {
    this.#maxBytes = maxBytes;
    this.#onFrame = onFrame;
  }

  /** @throws {RangeError} for a message that is too long, or whose checksum is wrong */
  read(chunk: Uint8Array): void {
    let bytes = this.#held.length === 0 ? chunk : joinBytes([this.#held, chunk]);
    for (let length = lengthOf(bytes); length !== null; length = lengthOf(bytes)) {
      if (length > this.#maxBytes || length < preludeBytes + checksumBytes)
        throw new RangeError(`An event of a stream has an invalid length: ${length} bytes.`);
      if (bytes.length < length) break;
      this.#onFrame(readFrame(bytes.subarray(0, length)));
      bytes = bytes.subarray(length);
    }
    // A copy: the chunk belongs to the caller.
    this.#held = bytes.slice();
  }
}

function lengthOf(bytes: Uint8Array): number | null {
  return bytes.length < preludeBytes ? null : viewOf(bytes).getUint32(0);
}

function readFrame(bytes: Uint8Array): Frame {
  const view = viewOf(bytes);
  const end = bytes.length - checksumBytes;
  if (view.getUint32(8) !== crc32(bytes.subarray(0, 8)) || view.getUint32(end) !== crc32(bytes.subarray(0, end)))
    throw new RangeError('An event of a stream has a wrong checksum.');
  const headersEnd = preludeBytes + view.getUint32(4);
  const headers = readHeaders(bytes.subarray(preludeBytes, headersEnd));
  if (headers.get(':message-type') === 'error') return errorFrame(headers);
  const type = headers.get(':event-type') ?? headers.get(':exception-type') ?? '';
  return { type, payload: new TextDecoder().decode(bytes.subarray(headersEnd, end)) };
}

/** Reads an error that the API does not define as an exception. Code and message are in its headers, and it has no payload. */
function errorFrame(headers: ReadonlyMap<string, string>): Frame {
  const code = headers.get(':error-code') ?? 'Unknown';
  const message = headers.get(':error-message') ?? '';
  return { type: code.endsWith('Exception') ? code : `${code}Exception`, payload: JSON.stringify({ message }) };
}

function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const view = viewOf(bytes);
  const decoder = new TextDecoder();
  const headers = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = at + 1 + bytes[at]!;
    const type = bytes[nameEnd]!;
    const fixed = valueBytes[type] ?? 0;
    const from = nameEnd + (fixed < 0 ? 3 : 1);
    const to = from + (fixed < 0 ? view.getUint16(nameEnd + 1) : fixed);
    if (type === stringType)
      headers.set(decoder.decode(bytes.subarray(at + 1, nameEnd)), decoder.decode(bytes.subarray(from, to)));
    at = to;
  }
  return headers;
}

/** Writes a message. A type that ends with `Exception` is that of an exception. */
export function writeFrame({ type, payload }: Frame): Uint8Array {
  const kind = type.endsWith('Exception') ? 'exception' : 'event';
  const headers = [
    [`:${kind}-type`, type],
    [':content-type', 'application/json'],
    [':message-type', kind],
  ].flatMap(([name = '', value = '']) => [
    name.length,
    ...encodeText(name),
    stringType,
    0,
    value.length,
    ...encodeText(value),
  ]);
  const body = encodeText(payload);
  const bytes = new Uint8Array(preludeBytes + headers.length + body.length + checksumBytes);
  const view = viewOf(bytes);
  const end = bytes.length - checksumBytes;
  view.setUint32(0, bytes.length);
  view.setUint32(4, headers.length);
  view.setUint32(8, crc32(bytes.subarray(0, 8)));
  bytes.set(headers, preludeBytes);
  bytes.set(body, preludeBytes + headers.length);
  view.setUint32(end, crc32(bytes.subarray(0, end)));
  return bytes;
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
