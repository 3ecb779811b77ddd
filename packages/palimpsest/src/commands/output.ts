import type { Terminal } from '@palimpsest/command-line/terminal';
import { type AtomicFile, openAtomic } from '@palimpsest/eval/output/atomic-file';

/** Where a command writes its result. `path` is `null` for standard output. */
export type Output = Pick<AtomicFile, 'commit' | 'discard'> & {
  readonly path: string | null;
  write(text: string): void;
};

/** Opens an atomic file, or standard output if no file is given. */
export function openOutput(file: string | undefined, terminal: Terminal): Output {
  if (file !== undefined && file !== '-') return openAtomic(file, terminal.cwd);
  return { path: null, write: (text) => terminal.out(text), commit: () => {}, discard: () => {} };
}
