import type { MessagePort } from 'node:worker_threads';
import type { SummarizeRequest } from '@palimpsest/core';
import type { CallResult } from '../calls/call-pool.ts';
import type { TrajectorySettings } from '../trajectory-options.ts';
import type { BatchTask } from './batch-work.ts';

/** The data a worker thread starts with. Plain JSON. */
export interface ThreadData {
  readonly settings: TrajectorySettings;
  readonly tokenizer: string;
  readonly wantsMetrics: boolean;
  /** The call pool in the main thread; `null` if no model is called. */
  readonly callPool: { readonly id: string; readonly contextLength?: number | undefined } | null;
}

/** A batch, and the port for its calls. The main thread closes the port. */
export interface ThreadTask extends BatchTask {
  readonly port: MessagePort | null;
}

/** A call that a thread requests. */
export interface CallMessage {
  readonly id: number;
  readonly request: Omit<SummarizeRequest, 'signal'>;
  readonly spentMs: number;
}

/** The result of a call, sent back to the thread. */
export interface CallReply {
  readonly id: number;
  readonly result: CallResult;
}
