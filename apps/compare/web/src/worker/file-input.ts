import { printable } from '@palimpsest/command-line/printable';
import { type Input, isLinesFile, transcriptExtension } from '@palimpsest/eval/inputs/input';

/** A file the user chose or dropped, or the text of a sample. */
export interface Given {
  readonly name: string;
  readonly data: Blob | string;
}

/** Adapts a browser file to the program's input interface. */
export function fileInput({ name, data }: Given): Input {
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
