import { orAborted } from '@palimpsest/core/authoring';
import type { FetchFunction } from '@palimpsest/session/fetch';
import { keysIn } from './api-keys.ts';

/** Makes a call to an upstream. */
export type PageCalls = (upstream: string, ...call: Parameters<FetchFunction>) => Promise<Response>;

/** Sends the requests for pages: one at a time for each key. Each resolves when its whole answer has arrived. */
export function pageCalls(fetch: FetchFunction): PageCalls {
  const lines = new Map<string, Promise<void>>();
  return async (upstream, ...call) => {
    const scope = `${upstream} ${credentialOf(...call)}`;
    const before = lines.get(scope);
    let end = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    lines.set(scope, turn);
    try {
      await orAborted(Promise.resolve(before), call[1]?.signal);
      const reply = await fetch(...call);
      const bytes = await new Response(reply.body).arrayBuffer();
      return new Response(bytes, { status: reply.status, headers: reply.headers });
    } finally {
      // A call that was aborted while it waited must not let the next one start too early.
      void Promise.resolve(before).then(() => {
        if (lines.get(scope) === turn) lines.delete(scope);
        end();
      });
    }
  };
}

function credentialOf(...[input, init]: Parameters<FetchFunction>): string {
  const headers = new Headers(init?.headers);
  const [key = ''] = keysIn((name) => headers.get(name), new URL(input instanceof Request ? input.url : input));
  // Every signature is different, so requests that are signed for AWS are told apart by their access key.
  return /\bCredential=([^/,]+)/.exec(key)?.[1] ?? key;
}
