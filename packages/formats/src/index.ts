export type { Codec, Decoded, EditedMessages, NativeOrigin, NativePiece, NativeViolation } from './codec.ts';
export { compressNative, type NativeResult } from './compress-native.ts';
