export {
  type ContextMiddleware,
  type ContextMiddlewareOptions,
  contextMiddleware,
} from './ai-sdk/context-middleware.ts';
export { contextStep, type PrepareStep } from './ai-sdk/context-step.ts';
export { contextTools } from './ai-sdk/context-tools.ts';
