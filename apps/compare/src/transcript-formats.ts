import { chat, messageLines } from './chat-format.ts';
import { codecFormats } from './codec-format.ts';
import { logFormats } from './log-format.ts';
import type { TranscriptFormat } from './transcript-format.ts';

/** Every transcript format we read, tried in this order. */
export const transcriptFormats: readonly TranscriptFormat[] = [...codecFormats, ...logFormats, chat, messageLines];
