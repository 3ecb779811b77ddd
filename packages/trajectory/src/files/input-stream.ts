import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Unpacks a stream if its first bytes are those of gzip. Names do not matter. */
export async function* unpackIfPacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const { value, done } = await iterator.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  // Errors of the source are thrown by the unpacked stream.
  yield* isPacked ? pipeline(whole(), createGunzip({ chunkSize: 256 * 1024 }), () => undefined) : whole();
}
