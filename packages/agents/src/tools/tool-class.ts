/** What kind of work a tool does: runs something, reads, writes, searches, looks at a page, fetches, delegates, asks the user. */
export type ToolClass = 'command' | 'read' | 'write' | 'search' | 'browse' | 'fetch' | 'delegate' | 'ask' | 'generic';
