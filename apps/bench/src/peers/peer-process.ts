import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Message } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import type { Compact } from '@palimpsest/eval/measures';

/** A peer that takes longer than this for one answer is stopped. */
const timeoutMs = 120_000;

type Answer =
  | { readonly kept: readonly (number | Message)[] }
  | { readonly answers: readonly string[] }
  | { readonly error: string };

/** A peer in its own process. */
export interface PeerProcess {
  /** Asks the peer what it keeps. @throws when the peer fails, exits or does not answer */
  readonly keep: Compact;
  /** Finds names in what the last call of `keep` hid. @returns the answer of each call of a tool. @throws like `keep` */
  readonly search: (names: readonly string[]) => Promise<readonly string[]>;
  stop(): void;
}

/** Starts a peer's program. Its output is hidden, since some libraries print advice; if it exits, the error line is reported. */
export function startPeer(program: string): PeerProcess {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-10_000);
  });
  const ended = once(child, 'close').then(([code, signal]): never => {
    const error = /^\w*Error\b.*$/m.exec(printed)?.[0];
    throw new Error(`its process ended with ${String(code ?? signal)}${error ? `: ${error}` : ''}`);
  });
  ended.catch(() => {});
  const ask = async (request: object): Promise<Exclude<Answer, { readonly error: string }>> => {
    const waiting = new AbortController();
    const answered = once(child, 'message', { signal: waiting.signal }) as Promise<[Answer]>;
    answered.catch(() => {});
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    try {
      if (child.connected) child.send(request, () => {});
      const [answer] = await Promise.race([answered, ended]);
      if ('error' in answer) throw new Error(answer.error);
      return answer;
    } finally {
      clearTimeout(timer);
      waiting.abort();
    }
  };
  return {
    keep: async (past, budgetTokens, counter) => {
      const transcript = Transcript.of(past, counter);
      const tokens = past.map((_, at) => transcript.tokens(at));
      const answer = await ask({ messages: past, budgetTokens, tokens });
      return 'kept' in answer ? answer.kept.map((kept) => (typeof kept === 'number' ? past[kept]! : kept)) : [];
    },
    search: async (names) => {
      const answer = await ask({ names });
      return 'answers' in answer ? answer.answers : [];
    },
    stop: () => void child.kill(),
  };
}
