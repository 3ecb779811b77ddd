export type { BinaryContent, BinaryCost } from './binary-content.ts';
export { flatBinaryCost, flatImageTokens } from './binary-content.ts';
export type { Encoding } from './encoding.ts';
export type { Envelope } from './envelope.ts';
export type { TokensErrorCode } from './error-code.ts';
export type { EstimateOptions } from './estimate-tokens.ts';
export { estimateTokens } from './estimate-tokens.ts';
export type { CountableRequest, MessageTokenCounter, RequestTokens, TokenCounterOptions } from './token-counter.ts';
export { createTokenCounter } from './token-counter.ts';
