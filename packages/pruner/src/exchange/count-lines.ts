/** Counts the lines of an output. A line break at the end does not start another line. */
export function countLines(output: string): number {
  let end = output.length;
  if (output.charCodeAt(end - 1) === 10) end--;
  if (end <= 0) return 0;
  let lines = 1;
  for (let at = output.indexOf('\n'); at >= 0 && at < end; at = output.indexOf('\n', at + 1)) lines++;
  return lines;
}
