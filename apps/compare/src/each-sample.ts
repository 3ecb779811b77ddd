import { Complaint } from './complaint.ts';
import { inputsOf } from './find-inputs.ts';
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
  paths: readonly string[],
  terminal: Terminal,
  visit: (sample: Sample) => Promise<void>,
): Promise<{ readonly passedOver: readonly PassedOver[]; readonly broken: boolean }> {
  const passedOver: PassedOver[] = [];
  let broken = false;
  let visited = 0;
  for await (const input of inputsOf(paths, terminal)) {
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
      `no transcript was found in ${paths.map((path) => `"${path}"`).join(', ')}; give files with chat-completions messages`,
    );
  return { passedOver, broken };
}
