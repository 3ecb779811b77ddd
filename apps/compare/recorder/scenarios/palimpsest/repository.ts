import { fileURLToPath } from 'node:url';
import { prepareWith } from '../../scenario.ts';
import type { Workspace } from '../../workspace.ts';

/** The commit that the scenario is written for. In later ones, the quoted lines are at other places. */
const COMMIT = '6b222d91799afe1540643e31dc9639fda2b621e2';
const REPOSITORY = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Clones this repository at a fixed commit, without a remote. */
export async function cloneRepository(workspace: Workspace): Promise<void> {
  const known = await workspace.run(`git -C '${REPOSITORY}' cat-file -e ${COMMIT}`);
  if (known.exitCode !== 0)
    throw new Error(
      `${REPOSITORY} has no commit ${COMMIT}. Record from a clone with the full history (git fetch --unshallow).`,
    );
  await prepareWith(
    workspace,
    `git clone -q --no-hardlinks '${REPOSITORY}' . && git checkout -q -B main ${COMMIT} && git remote remove origin && git tag -l | xargs -r git tag -d`,
  );
}
