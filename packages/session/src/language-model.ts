export {
  type ContextMiddleware,
  type ContextMiddlewareOptions,
  contextMiddleware,
} from './ai-sdk/context-middleware.ts';
