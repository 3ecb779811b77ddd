import { PalimpsestError } from '@palimpsest/core';

/** BullMQ and its Redis client. */
export interface QueueLibraries {
  readonly bullmq: typeof import('bullmq');
  readonly ioredis: typeof import('ioredis');
}

/**
 * Loads the optional peer dependencies of the queue.
 * @throws {PalimpsestError} `DEPENDENCY_MISSING`
 */
export async function loadBullmq(): Promise<QueueLibraries> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, ioredis };
  } catch (cause) {
    const command = 'npm install bullmq@6 ioredis@5';
    throw new PalimpsestError(
      'DEPENDENCY_MISSING',
      `The queue needs the packages "bullmq" and "ioredis". Install them: ${command}`,
      { package: 'bullmq', command },
      { cause },
    );
  }
}
