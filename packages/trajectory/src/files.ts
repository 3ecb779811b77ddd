export type { CallGate } from './calls/call-gate.ts';
export { compressFiles, type FilesOptions, type FilesProgress, type FilesReport } from './node/compress-files.ts';
export { compressStream, type StreamOptions } from './node/compress-stream.ts';
export type { Unfinished } from './node/resume-point.ts';
export type { RunOptions } from './node/run-options.ts';
export type { ShardReport } from './node/shard-report.ts';
