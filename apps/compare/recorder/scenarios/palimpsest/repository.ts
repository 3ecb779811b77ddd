import { fileURLToPath } from 'node:url';
import { prepareWith } from '../../scenario.ts';
import type { Workspace } from '../../workspace.ts';

/** The state of this repository that the scenario speaks about; a later one has other lines at other places. */
const COMMIT = '6b222d91799afe1540643e31dc9639fda2b621e2';
const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));

/** A clone of this repository at a fixed commit, without a way back to where it was cloned from. */
export async function cloneRepository(workspace: Workspace): Promise<void> {
  const known = await workspace.run(`git -C '${REPOSITORY}' cat-file -e ${COMMIT}`);
  if (known.exitCode !== 0)
    throw new Error(
      `${REPOSITORY} has no commit ${COMMIT}: record from a clone with the whole history (git fetch --unshallow).`,
    );
  await prepareWith(
    workspace,
    `git clone -q --no-hardlinks '${REPOSITORY}' . && git checkout -q -B main ${COMMIT} && git remote remove origin && git tag -l | xargs -r git tag -d`,
  );
}
