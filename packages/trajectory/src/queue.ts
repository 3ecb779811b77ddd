export type { QueuePlace, ShardJobProgress } from './queue/connect.ts';
export { type Enqueued, type EnqueueOptions, enqueueShards } from './queue/enqueue.ts';
export { type ActiveShard, type QueueStatus, queueStatus } from './queue/status.ts';
export { type QueueWorkerEvent, type QueueWorkerOptions, runQueueWorker } from './queue/worker.ts';
