/** Summarizes a `git diff`: each file with its numbers of added and removed lines; `null` for any other output. */
export function diffSummary(output: string): string | null {
  if (!/^diff --git /m.test(output.slice(0, 2_000))) return null;
  const files: string[] = [];
  let file = '';
  let [added, removed] = [0, 0];
  const close = (): void => {
    if (file !== '') files.push(`${file} +${added} -${removed}`);
    [added, removed] = [0, 0];
  };
  for (let at = 0; at < output.length; ) {
    const next = output.indexOf('\n', at);
    const end = next < 0 ? output.length : next;
    const code = output.charCodeAt(at);
    if (code === 100 && output.startsWith('diff --git ', at)) {
      close();
      file = / b\/(.{1,300})$/.exec(output.slice(at, Math.min(end, at + 700)))?.[1] ?? 'a file';
    } else if (code === 43 && !output.startsWith('+++ ', at)) added++;
    else if (code === 45 && !output.startsWith('--- ', at)) removed++;
    at = end + 1;
  }
  close();
  return files.join(', ');
}
