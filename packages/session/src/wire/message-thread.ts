import type { Body, BodyFormat } from './wire-format.ts';

/**
 * The answer to a request that goes on with a thread Anthropic keeps, of which only the newest messages are sent. What
 * lies there cannot be seen here, let alone compacted; told that the thread is gone, the SDK sends the whole conversation.
 * @returns `null` for any other request
 */
export function threadIsGone({ name }: BodyFormat, { thread }: Body): Response | null {
  if (name !== 'anthropic' || typeof thread !== 'object' || thread === null) return null;
  if ((thread as { readonly type?: unknown }).type !== 'continue') return null;
  const error = {
    type: 'not_found_error',
    message: 'A session sees whole conversations only: send all messages, without a thread to continue.',
    details: { error_code: 'thread_not_found' },
  };
  return Response.json({ type: 'error', error }, { status: 404 });
}
