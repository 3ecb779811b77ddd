export {
  type ContextMiddleware,
  type ContextMiddlewareOptions,
  contextMiddleware,
} from './ai-sdk/context-middleware.ts';
export { type ContextStepOptions, contextStep, type PrepareStep, type StepInput } from './ai-sdk/context-step.ts';
export { contextTools } from './ai-sdk/context-tools.ts';
