export { type NativeCompactionOptions, type NativeEvent, nativeCompaction } from './native-compaction.ts';
export { nativeEngine } from './native-engine.ts';
