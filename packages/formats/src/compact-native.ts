import type { CompressOptions, CompressResult, ContextEngine, Message } from '@palimpsest/core';
import type { Codec } from './codec.ts';

/** Result of {@link compactNative}. */
export interface NativeResult<Native> {
  /** The conversation to send; the same object as the input if nothing changed. */
  readonly native: Native;
  /** The engine's result for the decoded messages. */
  readonly result: CompressResult<Message>;
}

/**
 * Compacts a conversation in its native format: decodes it, runs the engine once, and encodes the result.
 * @throws {PalimpsestError} the errors of `codec.decode` and `engine.compress`; the input is never changed
 */
export async function compactNative<Native, Given extends Native>(
  engine: ContextEngine,
  codec: Codec<Native>,
  native: Given,
  asked?: Omit<CompressOptions, 'source'>,
): Promise<NativeResult<Given>> {
  const decoded = codec.decode(native);
  const result = await engine.compress(decoded.messages, asked);
  return { native: codec.encode(decoded, result), result };
}
