/** The kind of work a tool does: run a command, read, write, search, browse, fetch, delegate, or ask the user. */
export type ToolClass = 'command' | 'read' | 'write' | 'search' | 'browse' | 'fetch' | 'delegate' | 'ask' | 'generic';
