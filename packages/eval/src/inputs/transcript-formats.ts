import { chat, messageLines } from './chat-format.ts';
import { codecFormats } from './codec-format.ts';
import { logFormats } from './log-format.ts';
import type { TranscriptFormat } from './transcript-format.ts';

/** All supported transcript formats, tried in this order. */
export const transcriptFormats: readonly TranscriptFormat[] = [...codecFormats, ...logFormats, chat, messageLines];
