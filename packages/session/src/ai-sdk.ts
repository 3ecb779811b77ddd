export { type ContextStepOptions, contextStep, type PrepareStep, type StepInput } from './ai-sdk/context-step.ts';
