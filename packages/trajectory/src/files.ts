export { compactFiles, type FilesOptions, type FilesProgress, type FilesReport } from './files/compact-files.ts';
export type { ShardReport } from './files/compact-shard.ts';
export { compactStream, type StreamOptions } from './files/compact-stream.ts';
export type { RunOptions } from './files/run.ts';
