import type { Outgoing } from './outgoing.ts';
import type { Body } from './wire-format.ts';

/** Paths whose bodies look like requests to a model, although no answer is written: counts, embeddings, pictures, speech. */
const otherPaths: RegExp =
  /[/:](?:count_?tokens|input_tokens|tokeni[sz]e|apply-template|embed|moderation|rerank|pooling|classify|score|image|audio|video|speech)/i;

const longestPath = 100;

/**
 * Why a request to a model could not be prepared; `null` for any other request. A request to a model has a list of
 * `messages`, `input` items or `contents`, or a `prompt`.
 */
export function reasonUnprepared({ path, isSigned }: Pick<Outgoing, 'path' | 'isSigned'>, body: Body): string | null {
  if (otherPaths.test(path)) return null;
  const hasMessages = isConversation(body.messages) || isConversation(body.input);
  if (!hasMessages && !isConversation(body.contents) && !isPrompt(body.prompt)) return null;
  if (isSigned) return 'The body is signed (AWS4), so it must not be changed. Make the call with session.run instead.';
  const where = path.slice(0, longestPath);
  return hasMessages
    ? `The format of a body for the path "${where}" is not known. If it has one of the supported formats, name it with the option format: 'openai-chat', 'openai-responses' or 'anthropic'.`
    : `A body for the path "${where}" has none of the supported formats: chat completions, Responses, or Anthropic's messages. Use an endpoint of one of them.`;
}

/** True for a list of objects with the fields of messages: `role`, or the `parts` of Gemini's. */
function isConversation(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.some((item) => typeof item === 'object' && item !== null && ('role' in item || 'parts' in item))
  );
}

function isPrompt(prompt: unknown): boolean {
  return (typeof prompt === 'string' && prompt !== '') || (Array.isArray(prompt) && prompt.length > 0);
}
