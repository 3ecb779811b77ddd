import { type Body, wireNamed } from '@palimpsest/formats/wire';

/**
 * True if the answer to a call may be a text that ends where the model ends it.
 * @param call what the call asks for, in the fields of OpenAI's chat API: `tool_choice`, `response_format`, `stop`
 */
export function allowsText(call: Body): boolean {
  return wireNamed('openai-chat').obstaclesIn(call).text === null;
}
