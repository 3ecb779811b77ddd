import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import { type Input, isLinesFile, transcriptExtension } from '@palimpsest/eval/inputs/input';
import { readTranscripts } from '@palimpsest/eval/inputs/read-transcripts';
import { measureSample, type Sample } from '@palimpsest/eval/inputs/sample';

/** A file the user chose or dropped, or the text of a sample. */
export interface Given {
  readonly name: string;
  readonly data: Blob | string;
}

/**
 * Reads one transcript of a file.
 * @param ordinal which one, counted from 0
 * @returns the transcript, and whether another one follows in the file
 * @throws {CliError} if the file has no such transcript, or cannot be read
 */
export async function openSample(
  given: Given,
  ordinal: number,
): Promise<{ readonly sample: Sample; readonly more: boolean }> {
  const transcripts = readTranscripts(fileInput(given));
  try {
    for (let at = 0; ; at++) {
      const { value, done } = await transcripts.next();
      if (done)
        throw CliError.badInput(
          `${printable(given.name, 80)} has no transcript number ${ordinal + 1}; choose another one, or another file`,
        );
      if (at < ordinal) continue;
      const following = await transcripts.next().catch(() => null);
      return { sample: measureSample(value), more: following !== null && !following.done };
    }
  } finally {
    await transcripts.return(undefined).catch(() => undefined);
  }
}

/** Adapts a browser file to the program's input interface. */
function fileInput({ name, data }: Given): Input {
  const blob = typeof data === 'string' ? new Blob([data]) : data;
  return {
    label: printable(name, 80),
    stem: printable(name, 80).replace(transcriptExtension, ''),
    isLines: isLinesFile(name),
    path: null,
    named: true,
    open: () => chunks(blob),
  };
}

async function* chunks(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.releaseLock();
  }
}
