/** The names of the arguments in which agents' tools take a file or folder, in order of preference. */
export const pathArguments = [
  'file_path',
  'filePath',
  'path',
  'filename',
  'file',
  'target_file',
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

/** Names of the argument that holds a command or a script, in order of preference. */
export const commandArguments = ['command', 'cmd', 'script', 'code', 'input', 'chars'] as const;
