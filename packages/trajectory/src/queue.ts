export type { QueuePlace } from './queue/connect.ts';
export { type Enqueued, type EnqueueOptions, enqueueShards } from './queue/enqueue.ts';
export type { ShardJobProgress } from './queue/shard-job.ts';
export { type ActiveShard, type QueueStatus, queueStatus } from './queue/status.ts';
export { type QueueWorkerEvent, type QueueWorkerOptions, runQueueWorker } from './queue/worker.ts';
