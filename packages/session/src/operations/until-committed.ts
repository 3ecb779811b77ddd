import type { Persistence } from '../persistence/persistence.ts';

/** Maximum attempts when other processes keep committing first. */
const maxAttempts = 5;

/**
 * Does what changes the state, and stores it before its result is used. If another process was faster, it is done again with
 * the state of that process.
 * @param work returns whether it changed the state
 * @returns false if other processes were faster each time. Their state is in effect, and the result must not be used
 */
export async function untilCommitted(
  persistence: Pick<Persistence, 'commit'>,
  work: () => Promise<boolean>,
): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++)
    if (!(await work()) || (await persistence.commit())) return true;
  return false;
}
