import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder of files for one test. */
export interface Project {
  readonly directory: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

export async function createProject(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-registry-')));
  const project: Project = {
    directory,
    async write(more) {
      for (const [name, text] of Object.entries(more)) {
        await mkdir(dirname(join(directory, name)), { recursive: true });
        await writeFile(join(directory, name), text);
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
  await project.write(files);
  return project;
}

/** The source of an engine module whose engine does nothing. */
export function engineSource(name: string, exported = 'export default'): string {
  return `${exported} {
  name: '${name}',
  apiVersion: 1,
  create: () => ({
    initial: null,
    budget: ({ contextLength }) => ({ contextLength, usableTokens: contextLength, thresholdTokens: contextLength / 2, tailTokens: 0, summaryTokens: 0 }),
    plan: async () => ({ edits: [], state: null }),
  }),
};
`;
}
