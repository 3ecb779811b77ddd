import { type AgentLoop, loops } from './agent-loops.ts';
import { ollamaLoop } from './ollama-loop.ts';

/** All loops, also that of a server that answers one request at a time, so that a page waits for the user. */
export const allLoops: Readonly<Record<string, AgentLoop>> = { ...loops, Ollama: ollamaLoop };
