/** The parts of a request that may contain a conversation. */
export interface Outgoing {
  readonly url: URL;
  /** Where it is sent, as it was given. */
  readonly target: string | URL;
  /** Text of a body, or its bytes if it was given so. */
  readonly body: string | Uint8Array;
  readonly signal: AbortSignal | undefined;
  readonly headers: Headers;
  /** Returns the arguments of `fetch` with another body. */
  with(body: string | Uint8Array): [target: string | URL, init: RequestInit];
}

/** Reads the arguments of `fetch`; `null` unless they are a POST with a readable text body. */
export async function readOutgoing(
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Outgoing | null> {
  const request = isRequest(input) ? input : null;
  const headers = new Headers(init?.headers ?? request?.headers);
  // A compressed body is not decompressed here.
  if (headers.has('content-encoding')) return null;
  if ((init?.method ?? request?.method ?? 'GET').toUpperCase() !== 'POST') return null;
  const given = await readBody(init?.body ?? (request && !request.bodyUsed ? request.clone() : null));
  const target = isRequest(input) ? input.url : input;
  const url = urlOf(String(target));
  if (given === null || url === null) return null;
  return {
    url,
    target,
    body: given,
    signal: init?.signal ?? request?.signal ?? undefined,
    headers,
    with(changed) {
      const sent = new Headers(headers);
      // The length of the old body. fetch sets the new one.
      sent.delete('content-length');
      // A provider answers a key that it has seen with the reply to that request.
      if (changed !== given) sent.delete('idempotency-key');
      const ofRequest = request ? { method: 'POST', signal: request.signal, ...fieldsOf(request) } : {};
      return [target, { ...ofRequest, ...init, headers: sent, body: changed as BodyInit }];
    },
  };
}

/** The fields of a `Request` besides method, headers, signal and body. */
function fieldsOf({ cache, credentials, integrity, keepalive, mode, redirect, referrer }: Request): RequestInit {
  return { cache, credentials, integrity, keepalive, redirect, referrer, ...(mode === 'navigate' ? {} : { mode }) };
}

function isRequest(input: string | URL | Request): input is Request {
  return typeof input === 'object' && 'url' in input && 'clone' in input;
}

function urlOf(url: string): URL | null {
  try {
    return new URL(url, 'http://localhost');
  } catch {
    return null;
  }
}

/** Text or bytes of a body; `null` for a stream or a form, which are not read. */
async function readBody(body: BodyInit | Request | null): Promise<string | Uint8Array | null> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new TextDecoder().decode(body);
  // Checked by its methods, because undici's `Request` is not an instance of the global class.
  return body !== null && 'text' in body ? body.text() : null;
}
