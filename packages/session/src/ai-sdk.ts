export {
  type AnyLanguageModel,
  type ContextMiddleware,
  type ContextMiddlewareOptions,
  contextMiddleware,
  type ModelCallParams,
} from './ai-sdk/context-middleware.ts';
export { type ContextStepOptions, contextStep, type PrepareStep, type StepInput } from './ai-sdk/context-step.ts';
export { contextTools } from './ai-sdk/context-tools.ts';
