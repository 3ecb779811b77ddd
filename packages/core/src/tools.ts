export { type ToolClass, toolClass } from './tool-class.ts';
export { readToolName, type ToolName } from './tool-name.ts';
