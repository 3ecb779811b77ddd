/** Something that one call does with one file, page or search. */
export interface FileOperation {
  /**
   * `write` replaces the whole file or creates it, `append` adds to it. `enter` makes a folder the current one,
   * `commit` makes all changes permanent.
   */
  readonly action:
    | 'read'
    | 'open'
    | 'search'
    | 'fetch'
    | 'write'
    | 'append'
    | 'edit'
    | 'delete'
    | 'move'
    | 'copy'
    | 'revert'
    | 'enter'
    | 'commit';
  /** The path, URL or pattern; of a move or copy, the old path. `''` for the file that was opened last. */
  readonly path: string;
  /** The new path of a move or copy. */
  readonly to?: string;
  /** True for a deletion that includes a folder's files. */
  readonly isFolder?: boolean;
  /** The change in a few words. */
  readonly note?: string | null;
  /** For shell commands: the program that does it, and whether it is the last command of the script. */
  readonly program?: string;
  readonly isLast?: boolean;
}
