import type { Persistence } from '../persistence/persistence.ts';

/** Two processes that compact at the same moment do so once. */
const maxAttempts = 5;

/**
 * Does what changes the state, and stores it before its result is used. If another process was faster, it is done again with
 * the state of that process.
 * @param work returns whether it changed the state
 */
export async function untilCommitted(
  persistence: Pick<Persistence, 'commit'>,
  work: () => Promise<boolean>,
): Promise<void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) if (!(await work()) || (await persistence.commit())) return;
}
