import type { Received } from '../../../../test/loopback-server/index.ts';

/** Checks in each request of a conversation what the model must see whole. */
export class KeptTexts {
  /** What the host wrote into the conversation of the first request: messages of the system, and those that are not the task. */
  #instructions: readonly string[] | null = null;

  /** @returns the share of the host's instructions that is in a request word for word, 0 to 1; the first request defines them */
  instructionShare(request: Received, task: string): number {
    const texts = hostTexts(request, task);
    this.#instructions ??= texts;
    const given = allTexts(request);
    const length = (list: readonly string[]): number => list.reduce((sum, { length: one }) => sum + one, 0);
    const all = length(this.#instructions);
    return all === 0 ? 1 : length(this.#instructions.filter((text) => given.includes(text))) / all;
  }
}

/** Texts of messages that neither the user nor the model wrote. */
function hostTexts(request: Received, task: string): readonly string[] {
  return messagesOf(request)
    .filter(({ role }) => role === 'system' || role === 'developer' || role === 'user')
    .flatMap(({ content, parts }) => textsIn(content ?? parts))
    .filter((text) => text.trim() !== '' && !text.includes(task));
}

function allTexts(request: Received): string {
  return messagesOf(request)
    .flatMap(({ content, parts }) => textsIn(content ?? parts))
    .join('\n');
}

interface WireMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly parts?: unknown;
}

function messagesOf({ body: { messages, input, contents } }: Received): readonly WireMessage[] {
  return (messages ?? input ?? contents) as readonly WireMessage[];
}

function textsIn(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return (content as readonly { readonly text?: unknown }[]).flatMap(({ text }) =>
    typeof text === 'string' ? [text] : [],
  );
}
