/** An event of a queue worker. `lost`: another worker took the shard over; `returned`: it went back to the queue. */
export type QueueWorkerEvent =
  | { readonly type: 'started' | 'done' | 'lost' | 'returned'; readonly input: string }
  | { readonly type: 'failed'; readonly input: string; readonly reason: string }
  | { readonly type: 'error'; readonly reason: string };
