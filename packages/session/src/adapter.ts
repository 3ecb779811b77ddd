/** For adapters: what a framework's requests, answers and tools need besides the methods of a session. */

export { allowsText } from './adapter/allows-text.ts';
export { type SessionTool, sessionTools } from './adapter/session-tools.ts';
export { type PageAnswer, toPage } from './adapter/to-page.ts';
export { undoCommand } from './adapter/undo-command.ts';
export type { AdapterMethods, RecoverableCall } from './adapter-methods.ts';
export { hasRoom, type PageSource, pendingResult } from './conversation/page-source.ts';
