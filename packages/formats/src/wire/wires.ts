import type { ToolSchema } from '@palimpsest/core';
import { type AnthropicTool, anthropicWire } from '../anthropic/wire.ts';
import { type BedrockTool, bedrockInvokeWire, bedrockWire } from '../bedrock/wire.ts';
import { type GeminiTool, geminiWire } from '../gemini/wire.ts';
import { ollamaWire } from '../ollama/wire.ts';
import { chatWire } from '../openai-chat/wire.ts';
import { type ResponsesTool, responsesWire } from '../responses/wire.ts';
import type { Wire } from './wire.ts';

/** The supported APIs, by their names in options and stores. */
const wires = {
  'openai-chat': chatWire as Wire<ToolSchema>,
  'openai-responses': responsesWire as Wire<ResponsesTool>,
  anthropic: anthropicWire as Wire<AnthropicTool>,
  gemini: geminiWire as Wire<GeminiTool>,
  bedrock: bedrockWire as Wire<BedrockTool>,
  'bedrock-invoke': bedrockInvokeWire as Wire<AnthropicTool>,
  ollama: ollamaWire as Wire<ToolSchema>,
};

/** The name of a supported API. */
export type WireFormat = keyof typeof wires;

/** A tool as an API takes it. */
export type WireTool<Format extends WireFormat> = ReturnType<(typeof wires)[Format]['declareTool']>;

/** The names of the supported APIs. */
export const wireFormats: readonly WireFormat[] = Object.keys(wires) as WireFormat[];

/** Finds an API by its name. */
export function wireNamed<Format extends WireFormat>(name: Format): Wire<WireTool<Format>> {
  return wires[name] as Wire<WireTool<Format>>;
}

/** Finds the API of a request by its address; `null` when no answer of a model is asked for, or the API is unknown. */
export function wireAt(url: URL): Wire | null {
  return Object.values<Wire>(wires).find((wire) => wire.isAddress(url)) ?? null;
}
