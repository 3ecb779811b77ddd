export { type ContextStepOptions, contextStep, type PrepareStep, type StepInput } from './ai-sdk/context-step.ts';
export { contextTools } from './ai-sdk/context-tools.ts';
