export { type AgentMiddlewareOptions, agentMiddleware } from './agent-middleware.ts';
