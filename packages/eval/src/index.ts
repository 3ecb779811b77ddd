export type { Compact, CompactedMessages, Compactor, ModelCall } from './compactors/compactor.ts';
export type { NamedTranscript } from './transcripts/named-transcript.ts';
