import type { CompressRequest, CompressResult, ContextEngine, Message } from '@palimpsest/core';
import type { Codec } from './codec.ts';

/** A compression in the caller's own dialect. */
export interface NativeResult<Native> {
  /** The conversation to send; the very object that was passed in when nothing was done. */
  readonly native: Native;
  /** What the engine said about its work on the decoded messages. */
  readonly result: CompressResult<Message>;
}

/**
 * Compresses a native conversation: decode, one pass of the engine, encode.
 * @throws {PalimpsestError} what `codec.decode` and `engine.compress` throw; the conversation is never touched
 */
export async function compressNative<Native, Given extends Native>(
  engine: ContextEngine,
  codec: Codec<Native>,
  native: Given,
  request?: CompressRequest,
): Promise<NativeResult<Given>> {
  const decoded = codec.decode(native);
  const result = await engine.compress(decoded.messages, request);
  return { native: codec.encode(decoded, result), result };
}
