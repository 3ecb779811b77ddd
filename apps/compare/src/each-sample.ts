import { Complaint } from './complaint.ts';
import type { Input } from './input.ts';
import { readTranscripts } from './read-transcripts.ts';
import { measureSample, type Sample } from './sample.ts';
import type { Terminal } from './terminal.ts';

/** An input that was passed over, and why. */
export interface PassedOver {
  readonly file: string;
  readonly reason: string;
}

/**
 * Goes through all transcripts of the given inputs, one at a time. What was named has to be readable; in a folder, a
 * file that is no transcript is passed over and told about, and one that is broken is told about and remembered for
 * the exit code, so that one bad file does not hide the others.
 * @returns what was passed over; `broken` when a file of a folder could not be read
 * @throws {Complaint} for bad inputs that were named, and when nothing at all was found
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
      if (!(error instanceof Complaint) || error.exitCode === 2 || input.named) throw error;
      broken ||= !error.foreign;
      passedOver.push({ file: input.label, reason: error.message });
      terminal.err(`palimpsest: ${error.foreign ? 'passed over: ' : ''}${error.message}\n`);
    }
  }
  if (visited === 0)
    throw Complaint.badInput(
      `no transcript was found in ${files === 1 ? 'this file' : `these ${files} files`}; give files with the messages of a conversation, or a session of Claude Code or Codex`,
    );
  return { passedOver, broken };
}
