import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, mostly because they wait for a browser, a server or a program. */
const longest: RegExp =
  /\/(?:web|queue|resume|pipe|examples|[\w-]+-in-browser|long-sessions|comparison-screen|screenshots)\.test\.ts$/;

/** Starts the files that take longest first, so that no worker is idle at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
