import type { SummarizeRequest, SummarizeResponse, Summarizer } from '@palimpsest/core';

/** How one request for a summary ended, and what it cost. */
export interface Asked {
  readonly answer: SummarizeResponse | CallFailure;
  /** Requests that went out. */
  readonly calls: number;
  /** Of these, how many failed. */
  readonly errors: number;
  /** Time of the calls and of the waits between tries; not of waiting for a turn or for a rate limit. */
  readonly spentMs: number;
}

/** A failure that can cross to another thread. */
export interface CallFailure {
  readonly failure: string;
  readonly reason: string;
  readonly status?: number | undefined;
  readonly closedStream?: boolean | undefined;
}

/**
 * Where all calls of a run are made: it holds the limit on calls at a time, tries again, and keeps the time. There is
 * one, in the main thread, however many threads compress.
 */
export interface CallDesk {
  /** Who is called, as reports name it. */
  readonly id: string;
  /** The window of who is called. */
  readonly contextLength?: number | undefined;
  /** @param spentMs what earlier requests for the same trajectory took of its time */
  ask(request: SummarizeRequest, spentMs: number): Promise<Asked>;
}

/** The desk as the summarizer of one trajectory, which keeps its account. */
export interface TrajectoryCalls {
  readonly summarizer: Summarizer;
  readonly calls: number;
  readonly retries: number;
  readonly errors: number;
}
