import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Input } from './input.ts';
import { readTranscripts } from './read-transcripts.ts';
import { measureSample, type Sample } from './sample.ts';

/** An input that was skipped, and why. */
export interface PassedOver {
  readonly file: string;
  readonly reason: string;
}

/**
 * Visits all transcripts of the given inputs, one at a time. Files that the user named must be readable. Files found in
 * a folder are skipped and reported if they are not transcripts or are invalid. An invalid one also sets the exit code.
 * @returns the skipped files; `broken` is true if a file in a folder could not be read
 * @throws {CliError} for an invalid input that the user named, and if no transcript was found
 */
export async function eachSample(
  inputs: AsyncIterable<Input>,
  terminal: Terminal,
  visit: (sample: Sample) => Promise<void>,
): Promise<{ readonly passedOver: readonly PassedOver[]; readonly broken: boolean }> {
  const passedOver: PassedOver[] = [];
  let broken = false;
  let visited = 0;
  let files = 0;
  for await (const input of inputs) {
    files++;
    try {
      for await (const found of readTranscripts(input)) {
        terminal.signal.throwIfAborted();
        visited++;
        await visit(measureSample(found));
      }
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode === 2 || input.named) throw error;
      broken ||= !error.foreign;
      passedOver.push({ file: input.label, reason: error.message });
      terminal.err(`palimpsest: ${error.foreign ? 'skipped: ' : ''}${error.message}\n`);
    }
  }
  if (visited === 0)
    throw CliError.badInput(
      `no transcript was found in ${files === 1 ? 'this file' : `these ${files} files`}; pass files that contain a conversation, or a Claude Code or Codex session`,
    );
  return { passedOver, broken };
}
