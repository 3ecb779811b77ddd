export type { AnsweredCall, Behaviour, Received } from './behaviour.ts';
export { awsCredentials, bedrockApiKey } from './check-signature.ts';
export { contextWindow } from './context-window.ts';
export { type LoopbackServer, type Script, startLoopbackServer } from './server.ts';
