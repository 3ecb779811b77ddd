import type { Message } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { createSession, memoryStore } from '@palimpsest/session';
import { engines } from '../engines/open-engine.ts';
import { longTranscript } from '../speed/long-transcript.ts';

/** Messages that each request adds. */
const growth = 16;
/** Results are a little shorter than in the other sections: 4,000 messages have one and a half million tokens. */
const scale = 0.6;

export interface StoredState {
  readonly messages: number;
  readonly requests: number;
  readonly compactions: number;
  /** Compactions that can be undone. */
  readonly kept: number;
  /** Bytes in the store. */
  readonly stored: number;
  /** Bytes of the same state as JSON. */
  readonly json: number;
}

/** Serves a generated conversation, request by request, and measures what is in the store afterwards. */
export async function measureStoredState(length: number, contextLength: number): Promise<StoredState> {
  const store = memoryStore();
  const session = createSession({
    engine: (host) => engines.compressor(host, contextLength),
    model: { id: 'bench', contextLength },
    id: 'bench',
    summaries: 'rules',
    redact,
    store,
  });
  const messages: readonly Message[] = longTranscript(length, { scale });
  for (let at = growth; at <= length; at += growth) {
    await session.beforeRequest(messages.slice(0, at));
    session.afterResponse(null);
  }
  const json = JSON.stringify(await session.snapshot());
  const kept = session.status().checkpoints.length;
  await session.end();
  const stored = (await store.load('bench'))?.text ?? '';
  return {
    messages: length,
    requests: Math.floor(length / growth),
    compactions: session.records().length,
    kept,
    stored: Buffer.byteLength(stored),
    json: Buffer.byteLength(json),
  };
}
