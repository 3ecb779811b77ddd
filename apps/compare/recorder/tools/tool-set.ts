import { command, jsonCommand } from './command.ts';
import { editFile, readFile, writeFile } from './files.ts';
import { listFiles, searchFiles } from './search.ts';
import { todo } from './todo.ts';
import type { Tool } from './tool.ts';

/** What a call does, independent of the name of the tool. */
export type ToolAction = 'command' | 'read' | 'write' | 'edit' | 'search' | 'list' | 'todo';

/** The tools of one agent: the name and the tool for each action. */
export type ToolSet = Readonly<Record<ToolAction, { readonly name: string; readonly tool: Tool }>>;

/** Tools with plain names and text results. */
export const plainTools: ToolSet = {
  command: { name: 'bash', tool: command },
  read: { name: 'read_file', tool: readFile },
  write: { name: 'write_file', tool: writeFile },
  edit: { name: 'edit_file', tool: editFile },
  search: { name: 'grep', tool: searchFiles },
  list: { name: 'list_files', tool: listFiles },
  todo: { name: 'todo', tool: todo },
};

/** Tools with the names of another family of agents, and JSON results of commands. */
export const terminalTools: ToolSet = {
  ...plainTools,
  command: { name: 'terminal', tool: jsonCommand },
  edit: { name: 'patch', tool: editFile },
  search: { name: 'search_files', tool: searchFiles },
};
