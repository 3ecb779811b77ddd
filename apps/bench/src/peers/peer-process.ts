import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Message, Transcript } from '@palimpsest/core';
import type { Keep } from '../fidelity/index.ts';

/** Answers that take longer are given up. */
const timeoutMs = 120_000;

type Answer = { readonly kept: readonly (number | Message)[] } | { readonly error: string };

/** A peer in its own process. */
export interface PeerProcess {
  /** @throws with the reason when the peer fails, ends or does not answer */
  readonly keep: Keep;
  stop(): void;
}

/** Starts a peer's program. What it prints is not shown: some libraries print advice. */
export function startPeer(program: string): PeerProcess {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`its process ended with code ${String(code)}`);
  });
  ended.catch(() => {});
  return {
    keep: async (past, budgetTokens, counter) => {
      const transcript = Transcript.of(past, counter);
      const tokens = past.map((_, at) => transcript.tokens(at));
      const waiting = new AbortController();
      const answered = once(child, 'message', { signal: waiting.signal }) as Promise<[Answer]>;
      answered.catch(() => {});
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      try {
        if (child.connected) child.send({ messages: past, budgetTokens, tokens }, () => {});
        const [answer] = await Promise.race([answered, ended]);
        if ('error' in answer) throw new Error(answer.error);
        return answer.kept.map((kept) => (typeof kept === 'number' ? past[kept]! : kept));
      } finally {
        clearTimeout(timer);
        waiting.abort();
      }
    },
    stop: () => void child.kill(),
  };
}
