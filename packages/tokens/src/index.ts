export type { BinaryContent, BinaryCost } from './counter/binary-content.ts';
export type { Envelope } from './counter/envelope.ts';
export type {
  CountableRequest,
  MessageTokenCounter,
  RequestTokens,
  TokenCounterOptions,
} from './counter/token-counter.ts';
export { createTokenCounter } from './counter/token-counter.ts';
export type { Encoding } from './encoding.ts';
export type { TokensErrorCode } from './error-code.ts';
export type { EstimateOptions } from './estimate/estimate-tokens.ts';
export { estimateTokens } from './estimate/estimate-tokens.ts';
