import type { TurnLines } from '@palimpsest/salience';
import { touchedFiles } from '../work/touched-files.ts';

/** A file that the agent changed. */
export interface FileChange {
  /** Its path now, as the newest call names it. */
  readonly path: string;
  /** True if the agent created it in these messages. */
  readonly created: boolean;
  /** Number of changes of its content, beside creation. */
  readonly edits: number;
  readonly deleted: boolean;
  /** Its path before the agent renamed it; `null` if it did not. */
  readonly renamedFrom: string | null;
  /** The newest change in a few words: the symbol or heading touched; `null` if unknown. */
  readonly newest: string | null;
  /** Index of the message with the newest change. */
  readonly index: number;
}

/** The files that the agent changed, through tools and through the shell, the newest change first. */
export function fileChanges(turns: TurnLines): FileChange[] {
  return touchedFiles(turns)
    .filter(({ changed }) => changed > 0)
    .map(({ path, changed, last }) => ({
      path,
      created: false,
      edits: changed,
      deleted: false,
      renamedFrom: null,
      newest: null,
      index: last,
    }));
}
