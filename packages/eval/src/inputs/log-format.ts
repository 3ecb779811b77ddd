import {
  anthropic,
  type Codec,
  createClaudeCodeReader,
  createCodexReader,
  detectFormat,
  openaiResponses,
  type SessionLogReader,
} from '@palimpsest/formats';
import { describeInvalid } from './codec-format.ts';
import type { GatheredFormat } from './transcript-format.ts';

/**
 * Maximum size of a session log, in bytes. Only the conversation is kept in memory; the rest is discarded line by line.
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
            return describeInvalid(error);
          }
        },
        end() {
          const { id, decoded, messages } = reader.end();
          // Sessions without a conversation are common in home folders.
          if (messages.every(({ role }) => role === 'system')) return null;
          return {
            id,
            messages,
            tools: [],
            dialect: codec.dialect,
            // The agent could not resume an edited log, so the output is a provider request.
            encode: (edited, provenance) => [codec.encode(decoded, { messages: edited, provenance })],
          };
        },
      };
    },
  };
}

/** Session logs of coding agents. */
export const logFormats: readonly GatheredFormat[] = [
  logFormat('claudeCode', anthropic, createClaudeCodeReader),
  logFormat('codex', openaiResponses, createCodexReader),
];
