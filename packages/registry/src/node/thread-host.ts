import { agentReader, isRequest } from '@palimpsest/agents';
import {
  createHost,
  type Dialect,
  type EngineHost,
  type Message,
  type SummarizeResponse,
  type Summarizer,
  type TokenCounter,
} from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { createTokenCounter } from '@palimpsest/tokens';
import { receiveError } from './sent-error.ts';
import type { FromThread, SentTranscript, SummarizerInfo, ToThread } from './worker-protocol.ts';

/** The host inside the worker thread, and the conversion of received transcripts. */
export interface ThreadHost {
  readonly host: EngineHost;
  /** Builds a transcript with the token counts and requests that the main thread sent. */
  transcript(sent: SentTranscript): Transcript;
  /** Receives the answer to a summarizer request. */
  receive(message: Extract<ToThread, { kind: 'summarized' | 'summary-failed' }>): void;
}

interface KnownMessage {
  readonly tokens: number;
  readonly reasoning: boolean;
  readonly isRequest: boolean;
}

export function createThreadHost(
  parts: {
    readonly dialect: Dialect;
    readonly handoffKey?: string | undefined;
    readonly summarizer: SummarizerInfo | null;
    readonly fallbackSummarizer: SummarizerInfo | null;
  },
  post: (message: FromThread) => void,
): ThreadHost {
  const counter = createSentCounter();
  const summarizers = bridgeSummarizers(post);
  // The newest key sent by the main thread. If there is a key at the start, there is always one.
  let { handoffKey } = parts;
  const host = createHost({
    tokens: counter.tokens,
    reader: agentReader,
    redact: (text) => redact(text, { boundary: true }),
    isRequest: (message, index, messages) =>
      counter.known.get(message)?.isRequest ?? isRequest(message, index, messages),
    dialect: parts.dialect,
    handoffKey: handoffKey === undefined ? undefined : () => handoffKey!,
    emit: (event) => post({ kind: 'event', event }),
    summarizer: summarizers.bridge(parts.summarizer, 'summarizer'),
    fallbackSummarizer: summarizers.bridge(parts.fallbackSummarizer, 'fallbackSummarizer'),
  });
  return {
    host,
    transcript(sent) {
      handoffKey = sent.handoffKey;
      counter.learn(sent);
      return Transcript.of(sent.messages, counter.tokens, host);
    },
    receive: summarizers.receive,
  };
}

interface SentCounter {
  readonly tokens: TokenCounter;
  /** What the main thread sent about each message. */
  readonly known: WeakMap<Message, KnownMessage>;
  learn(sent: SentTranscript): void;
}

/** Creates a counter that returns the main thread's count of a message, and counts new text on the same scale. */
function createSentCounter(): SentCounter {
  const builtIn = createTokenCounter();
  const known = new WeakMap<Message, KnownMessage>();
  // Ratio of the main thread's counts to the built-in counter's.
  let scale = 1;
  return {
    known,
    tokens: {
      countText: (text) => scale * builtIn.countText(text),
      countMessage(message, options) {
        const sent = known.get(message);
        const asked = options?.reasoning ?? false;
        return sent && sent.reasoning === asked ? sent.tokens : scale * builtIn.countMessage(message, options);
      },
    },
    learn({ messages, tokens: counts, requests }) {
      const lastUser = messages.findLastIndex((message) => message.role === 'user');
      const asked = new Set(requests);
      let sent = 0;
      let own = 0;
      messages.forEach((message, index) => {
        const reasoning = index > lastUser;
        sent += counts[index]!;
        own += builtIn.countMessage(message, { reasoning });
        known.set(message, { tokens: counts[index]!, reasoning, isRequest: asked.has(index) });
      });
      scale = own > 0 && sent > 0 ? sent / own : 1;
    },
  };
}

interface SummarizerBridge extends Pick<ThreadHost, 'receive'> {
  bridge(info: SummarizerInfo | null, which: 'summarizer' | 'fallbackSummarizer'): Summarizer | undefined;
}

/** Creates summarizers that send their requests to the main thread. */
function bridgeSummarizers(post: (message: FromThread) => void): SummarizerBridge {
  const waiting = new Map<number, { resolve(value: SummarizeResponse): void; reject(error: Error): void }>();
  let ids = 0;
  return {
    bridge(info, which) {
      if (info === null) return undefined;
      return {
        ...info,
        summarize({ signal, ...request }) {
          const id = ++ids;
          const abort = (): void => post({ kind: 'summarize-abort', id });
          return new Promise<SummarizeResponse>((resolve, reject) => {
            waiting.set(id, { resolve, reject });
            post({ kind: 'summarize', id, which, request: { ...request } });
            if (signal?.aborted) abort();
            else signal?.addEventListener('abort', abort);
          }).finally(() => signal?.removeEventListener('abort', abort));
        },
      };
    },
    receive(message) {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.kind === 'summarized') asked?.resolve(message.response);
      else asked?.reject(receiveError(message.error));
    },
  };
}
