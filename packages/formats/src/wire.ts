/** One adapter for each provider's API: recognizes, reads and changes its requests. */

export type { AnthropicTool } from './anthropic/wire.ts';
export type { ResponsesTool } from './responses/wire.ts';
export { appendItems } from './wire/append-items.ts';
export type { Body, RequestFacts, Wire } from './wire/wire.ts';
export { type WireFormat, type WireTool, wireAt, wireFormats, wireNamed } from './wire/wires.ts';
