import type { FetchFunction } from '@palimpsest/session/fetch';

/** Makes a call in the name of a scope: an upstream, and the access to it. */
export type PageCalls = (scope: string, ...call: Parameters<FetchFunction>) => Promise<Response>;

/** Makes the calls with which models are asked for pages: one at a time for each scope, with the whole answer. */
export function pageCalls(fetch: FetchFunction): PageCalls {
  const lines = new Map<string, Promise<void>>();
  return async (scope, ...call) => {
    const before = lines.get(scope);
    let end = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    lines.set(scope, turn);
    await before;
    try {
      call[1]?.signal?.throwIfAborted();
      const { body, headers, status } = await fetch(...call);
      const bytes = await new Response(body).arrayBuffer();
      return new Response(bytes, { status, headers });
    } finally {
      if (lines.get(scope) === turn) lines.delete(scope);
      end();
    }
  };
}
