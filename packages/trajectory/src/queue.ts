export { type Enqueued, type EnqueueOptions, enqueueShards } from './queue/enqueue.ts';
export type { QueuePlace } from './queue/queue-place.ts';
export type { ShardJobProgress } from './queue/shard-job.ts';
export { type ActiveShard, type QueueStatus, queueStatus } from './queue/status.ts';
export { type QueueWorkerOptions, runQueueWorker } from './queue/worker.ts';
export type { QueueWorkerEvent } from './queue/worker-event.ts';
