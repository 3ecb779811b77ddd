import { command, jsonCommand } from './command.ts';
import { editFile, readFile, writeFile } from './files.ts';
import { listFiles, searchFiles } from './search.ts';
import { todo } from './todo.ts';
import type { Tool } from './tool.ts';

/** What a call does, whatever the session's agent calls the tool. */
export type Deed = 'command' | 'read' | 'write' | 'edit' | 'search' | 'list' | 'todo';

/** The tools of one agent: for each deed the name it goes by, and the tool. */
export type ToolSet = Readonly<Record<Deed, { readonly name: string; readonly tool: Tool }>>;

/** Plain names, results as text. */
export const plainTools: ToolSet = {
  command: { name: 'bash', tool: command },
  read: { name: 'read_file', tool: readFile },
  write: { name: 'write_file', tool: writeFile },
  edit: { name: 'edit_file', tool: editFile },
  search: { name: 'grep', tool: searchFiles },
  list: { name: 'list_files', tool: listFiles },
  todo: { name: 'todo', tool: todo },
};

/** The names another family of agents uses, with command results as JSON. */
export const terminalTools: ToolSet = {
  ...plainTools,
  command: { name: 'terminal', tool: jsonCommand },
  edit: { name: 'patch', tool: editFile },
  search: { name: 'search_files', tool: searchFiles },
};
