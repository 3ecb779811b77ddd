/** One action of a call on a file. */
export interface FileOperation {
  /**
   * `write` replaces or creates the whole file; `append` adds to it. `enter` changes the current folder; `commit`
   * commits all changes. `run` runs a script file; `runScripts` replaces it by what the script does.
   */
  readonly action:
    | 'read'
    | 'open'
    | 'write'
    | 'append'
    | 'edit'
    | 'delete'
    | 'move'
    | 'copy'
    | 'revert'
    | 'enter'
    | 'commit'
    | 'run';
  /** The path; for a move or copy, the old path. `''` for the file that was opened last. */
  readonly path: string;
  /** The new path of a move or copy. */
  readonly to?: string;
  /** The text of a script file that is written. */
  readonly script?: string;
  /** The folder in which a script file is run. */
  readonly folder?: string;
  /** True for a deletion that includes a folder's files. */
  readonly isFolder?: boolean;
  /** A description of the change in a few words. */
  readonly note?: string | null;
  /** For shell commands: the program, and in `isLast` whether it is the last command of the script. */
  readonly program?: string;
  readonly isLast?: boolean;
}
