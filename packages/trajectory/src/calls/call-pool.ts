import type { SummarizeRequest, SummarizeResponse, Summarizer } from '@palimpsest/core';

/** The result and the cost of one request for a summary. */
export interface CallResult {
  readonly answer: SummarizeResponse | CallFailure;
  /** Number of calls to the model, including retries. */
  readonly calls: number;
  /** Number of these calls that failed. */
  readonly errors: number;
  /** Milliseconds spent in calls and between retries. Does not include the wait for a free slot or a rate limit. */
  readonly spentMs: number;
}

/** A failed call, as plain data that can be sent to another thread. */
export interface CallFailure {
  readonly failure: string;
  readonly reason: string;
  readonly status?: number | undefined;
  readonly closedStream?: boolean | undefined;
}

/**
 * Makes all calls of a run. Limits concurrent calls, retries and enforces timeouts. Each run has one pool, in the main
 * thread, for all its threads.
 */
export interface CallPool {
  /** Id of the summarizer, for reports. */
  readonly id: string;
  /** Context window of the model in tokens. */
  readonly contextLength?: number | undefined;
  /** Makes one request. @param spentMs milliseconds spent on earlier requests for the same trajectory */
  ask(request: SummarizeRequest, spentMs: number): Promise<CallResult>;
}

/** A summarizer for one trajectory that counts its calls. */
export interface TrajectoryCalls {
  readonly summarizer: Summarizer;
  /** Number of calls to the model, including retries. */
  readonly calls: number;
  readonly retries: number;
  readonly errors: number;
}
