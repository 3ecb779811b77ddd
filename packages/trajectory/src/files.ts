export { compressFiles, type FilesOptions, type FilesProgress, type FilesReport } from './files/compress-files.ts';
export type { ShardReport } from './files/compress-shard.ts';
export { compressStream, type StreamOptions } from './files/compress-stream.ts';
export type { RunOptions } from './files/run.ts';
