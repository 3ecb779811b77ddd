/** A reply with another body. */
export function withBody(reply: Response, body: BodyInit): Response {
  const headers = new Headers(reply.headers);
  // Of the body that was read. It is not compressed any more.
  headers.delete('content-length');
  headers.delete('content-encoding');
  const { status, statusText, url } = reply;
  const changed = new Response(body, { status, statusText, headers });
  Object.defineProperty(changed, 'url', { value: url });
  return changed;
}
