import {
  anthropic,
  type Codec,
  createClaudeCodeReader,
  createCodexReader,
  detectFormat,
  openaiResponses,
  type SessionLogReader,
} from '@palimpsest/formats';
import { brokenness } from './codec-format.ts';
import type { GatheredFormat } from './transcript-format.ts';

/**
 * The most a log may hold, in bytes. Much of one is for the agent's own screen and is let go line by line; what was
 * said has to stand in memory whole.
 */
const maximumLogBytes = 256 * 2 ** 20;

function logFormat<Native extends object>(
  name: 'claudeCode' | 'codex',
  codec: Codec<Native>,
  createReader: () => SessionLogReader<Native>,
): GatheredFormat {
  return {
    name,
    transcriptIn: 'all-values',
    mixed: true,
    maximumBytes: maximumLogBytes,
    recognizes: (value) => detectFormat(value) === name,
    gather() {
      const reader = createReader();
      return {
        add(value) {
          try {
            reader.add(value as object);
            return null;
          } catch (error) {
            return brokenness(error);
          }
        },
        end() {
          const { id, decoded, messages } = reader.end();
          // A home folder holds many of these.
          if (messages.every(({ role }) => role === 'system')) return null;
          return {
            id,
            messages,
            tools: [],
            dialect: codec.dialect,
            // A smaller log would be none: what is written is the conversation as its provider takes it.
            encode: (edited, provenance) => [codec.encode(decoded, { messages: edited, provenance })],
          };
        },
      };
    },
  };
}

/** The sessions that coding agents leave in the home folder. */
export const logFormats: readonly GatheredFormat[] = [
  logFormat('claudeCode', anthropic, createClaudeCodeReader),
  logFormat('codex', openaiResponses, createCodexReader),
];
