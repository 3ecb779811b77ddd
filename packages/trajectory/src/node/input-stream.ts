import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The unpacked bytes of an input. */
export interface InputStream {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes of the file read so far, packed or not. */
  bytesRead(): number;
}

const chunkBytes = 256 * 1024;

/** True if the bytes begin like a gzip file. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Opens a plain or gzipped file at an offset of its unpacked content. The file's name does not matter. */
export async function openInput(path: string, offset: number): Promise<InputStream> {
  const packed = isGzip(await firstBytes(path));
  const file = createReadStream(path, { highWaterMark: chunkBytes, start: packed ? 0 : offset });
  const before = packed ? 0 : offset;
  const chunks = packed ? skipping(unpacked(file), offset) : file;
  return { chunks, bytesRead: () => before + file.bytesRead };
}

/** Unpacks a stream if its first bytes are those of gzip. */
export async function* unpackedIfPacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < 2) {
    const { value, done } = await iterator.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const start = Buffer.concat(first);
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    if (start.length > 0) yield start;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  };
  yield* isGzip(start) ? unpacked(whole()) : whole();
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Unpacks gzip. Errors of the source are thrown by the unpacked stream. */
function unpacked(source: ReadStream | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return pipeline(source, createGunzip({ chunkSize: chunkBytes }), () => undefined);
}

async function* skipping(chunks: AsyncIterable<Uint8Array>, offset: number): AsyncGenerator<Uint8Array> {
  let left = offset;
  for await (const chunk of chunks) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
