/** Names of the argument with a file or folder, in order of preference. */
export const pathArguments = [
  'file_path',
  'filePath',
  'path',
  'filename',
  'file',
  'target_file',
  'TargetFile',
  'notebook_path',
  'absolute_path',
  'AbsolutePath',
  'relative_path',
  'relative_workspace_path',
  'uri',
  'dir',
  'directory',
  'dir_path',
  'folder',
] as const;

/** Names of the argument with a command or a script, in order of preference. */
export const commandArguments = ['command', 'cmd', 'script', 'code', 'CommandLine', 'input', 'chars'] as const;

/** Names of the argument with the old path of a moved or copied file. */
export const movedFromArguments = ['source', 'source_path', 'old_path', 'oldPath', 'from', 'src'] as const;

/** Names of the argument with the new path of a moved or copied file. */
export const movedToArguments = ['destination', 'destination_path', 'new_path', 'newPath', 'to', 'dest'] as const;

/** Names of the argument with the text that an edit replaces. */
export const oldTextArguments = [
  'old_string',
  'old_str',
  'oldText',
  'old_text',
  'oldString',
  'search',
  'TargetContent',
] as const;

/** Names of the argument with new text for a file. */
export const newTextArguments = [
  'new_string',
  'new_str',
  'newText',
  'new_text',
  'newString',
  'replace',
  'replacement',
  'ReplacementContent',
  'content',
  'contents',
  'file_text',
  'text',
  'body',
  'code_edit',
  'insert_text',
  'new_source',
  'CodeContent',
] as const;

/** Names of the argument with a patch that names its files. */
export const patchArguments = ['patch', 'patchText', 'patch_text', 'input', 'diff'] as const;
