import { bareText, type TranscriptLines } from '../read/read-transcript-lines.ts';

/**
 * Returns a line with the lines before and after it in the same text, without line numbers. Lines with equal contexts
 * count as repetitions.
 */
export function lineContext({ lines }: TranscriptLines, index: number): string {
  const { at, kind, call } = lines[index]!;
  const bare = (place: number): string => {
    const line = lines[place];
    return line?.at === at && line.kind === kind && line.call === call ? bareText(line).trim() : '';
  };
  return `${bare(index - 1)}\n${bare(index)}\n${bare(index + 1)}`;
}
