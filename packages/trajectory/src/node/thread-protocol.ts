import type { MessagePort } from 'node:worker_threads';
import type { SummarizeRequest } from '@palimpsest/core';
import type { Asked } from '../calls/call-desk.ts';
import type { TrajectorySettings } from '../trajectory-options.ts';
import type { BatchTask } from './batch-work.ts';

/** What a worker thread is started with. JSON. */
export interface ThreadData {
  readonly settings: TrajectorySettings;
  readonly tokenizer: string;
  readonly wantsMetrics: boolean;
  /** The desk in the main thread; `null` when no model is called. */
  readonly desk: { readonly id: string; readonly contextLength?: number | undefined } | null;
}

/** A batch, and where its calls are made. The port is closed by the main side. */
export interface ThreadTask extends BatchTask {
  readonly port: MessagePort | null;
}

/** What a thread asks of the desk. */
export interface DeskRequest {
  readonly id: number;
  readonly request: Omit<SummarizeRequest, 'signal'>;
  readonly spentMs: number;
}

/** What the desk answers. */
export interface DeskAnswer {
  readonly id: number;
  readonly asked: Asked;
}
