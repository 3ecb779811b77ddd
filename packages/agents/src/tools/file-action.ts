/**
 * What a tool does with the file it names: `write` replaces the whole file or creates it; `open` reads it, and later
 * edits that name no file change it; `patch` takes a patch that names files, or a path; `revert` undoes a change.
 */
export type FileAction = 'read' | 'open' | 'write' | 'edit' | 'patch' | 'delete' | 'move' | 'copy' | 'revert';
