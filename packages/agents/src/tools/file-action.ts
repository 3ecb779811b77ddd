/**
 * What a tool does with the file it names. `write` replaces or creates the whole file; `open` reads it and makes it the
 * target of later edits that name no file; `patch` takes a patch that names files, or a path; `revert` undoes a change.
 */
export type FileAction = 'read' | 'open' | 'write' | 'edit' | 'patch' | 'delete' | 'move' | 'copy' | 'revert';
