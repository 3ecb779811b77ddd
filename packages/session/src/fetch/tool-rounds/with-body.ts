/** A reply with another body. */
export function withBody(reply: Response, body: BodyInit): Response {
  const headers = new Headers(reply.headers);
  // These headers describe the old body. The new one is not compressed.
  headers.delete('content-length');
  headers.delete('content-encoding');
  const { status, statusText, url } = reply;
  const changed = new Response(body, { status, statusText, headers });
  Object.defineProperty(changed, 'url', { value: url });
  return changed;
}
