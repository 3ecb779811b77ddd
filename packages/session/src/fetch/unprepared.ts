import { type Body, wireFormats, wireNamed } from '@palimpsest/formats/wire';
import type { Outgoing } from './outgoing.ts';

/** Paths whose bodies look like requests to a model, although no answer is written: counts, embeddings, pictures, speech. */
const otherPaths: RegExp =
  /[/:](?:count_?tokens|input_tokens|tokeni[sz]e|apply-template|embed|moderation|rerank|pooling|classify|score|image|audio|video|speech)/i;

const maxPathLength = 100;

/** True for an address at which no model answers, whatever the body looks like. */
export function isOtherPath({ pathname }: Pick<URL, 'pathname'>): boolean {
  return otherPaths.test(pathname);
}

/**
 * Why a request to a model could not be prepared; `null` for any other request. A request to a model has a list of
 * `messages`, `input` items or `contents`, or a `prompt`.
 */
export function reasonUnprepared({ url }: Pick<Outgoing, 'url'>, body: Body): string | null {
  const { pathname } = url;
  if (isOtherPath(url)) return null;
  const hasMessages = wireFormats.some((format) => isConversation(body[wireNamed(format).list]));
  if (!hasMessages && !isPrompt(body.prompt)) return null;
  const where = pathname.slice(0, maxPathLength);
  return hasMessages
    ? `The format of a body for the path "${where}" is not known. If it has one of the supported formats, name it with the option format: ${wireFormats.map((format) => `'${format}'`).join(', ')}.`
    : `A body for the path "${where}" has none of the supported formats: ${wireFormats.join(', ')}. Use an endpoint of one of them.`;
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
