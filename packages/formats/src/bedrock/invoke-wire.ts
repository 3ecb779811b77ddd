import { type AnthropicTool, anthropicWire } from '../anthropic/wire.ts';
import { pathPart } from '../wire/path-part.ts';
import type { Wire } from '../wire/wire.ts';
import { framingFor, invokeFraming } from './framing.ts';

const method = /\/model\/([^?]+)\/invoke(-with-response-stream)?\/?$/;

/** `InvokeModel` of Bedrock and its stream, with the bodies of Anthropic Messages. The address names the model. */
export const bedrockInvokeWire: Wire<AnthropicTool> = {
  ...anthropicWire,
  name: 'bedrock-invoke',
  isAddress: ({ pathname }) => method.test(pathname),
  // Other models have bodies of their own.
  itemsOf: (body) => (typeof body.anthropic_version === 'string' ? anthropicWire.itemsOf(body) : null),
  factsOf(body, url) {
    const [, model, streamed] = method.exec(url.pathname) ?? [];
    const facts = anthropicWire.factsOf(body, url);
    if (model === undefined) return facts;
    return { ...facts, model: pathPart(model), isStreamed: streamed !== undefined };
  },
  wholeHistoryError: () => null,
  answers: { ...anthropicWire.answers, framingOf: framingFor(invokeFraming) },
};
