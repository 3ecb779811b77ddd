import type { Body, BodyFormat } from './wire-format.ts';

/**
 * Answers a request that continues a message thread stored by Anthropic. Such a request contains only the newest messages,
 * so the conversation cannot be compacted. The answer says that the thread is lost; the SDK then sends all messages.
 * @returns `null` for any other request
 */
export function threadIsGone({ name }: BodyFormat, { thread }: Body): Response | null {
  if (name !== 'anthropic' || typeof thread !== 'object' || thread === null) return null;
  if ((thread as { readonly type?: unknown }).type !== 'continue') return null;
  const error = {
    type: 'not_found_error',
    message: 'A session needs the whole conversation. Send all messages, without a thread to continue.',
    details: { error_code: 'thread_not_found' },
  };
  return Response.json({ type: 'error', error }, { status: 404 });
}
