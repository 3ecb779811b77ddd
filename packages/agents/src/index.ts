export { agentReader, isRequest } from './reader/agent-reader.ts';
export { type ToolClass, toolClass } from './tools/tool-class.ts';
export { readToolName, type ToolName } from './tools/tool-name.ts';
