export type { NamedTranscript } from './transcripts/named-transcript.ts';
