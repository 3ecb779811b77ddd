import { readFileSync } from 'node:fs';
import type { Session } from './session.ts';
import type { ToolSet } from './tools/tool-set.ts';
import type { Workspace } from './workspace.ts';

/** A scripted session: the messages of user and agent, and the tool calls. The calls run, and their results are real. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The project's folder below the neutral home. */
  readonly project: string;
  /** When the session starts: an ISO date. Commits are dated by it. */
  readonly startedAt: string;
  readonly tools: ToolSet;
  /** Creates the files that exist before the session starts. This is not recorded. */
  prepare(workspace: Workspace): Promise<void>;
  play(session: Session): Promise<void>;
}

/**
 * Reads a bundle of files: one text file with all of them, each after a line `=== its/path`. The sources of a scratch
 * project are bundled so that this repository's linter and compiler do not read them.
 */
export function readBundle(url: URL): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const sections = readFileSync(url, 'utf8').split(/^=== (.+)\n/m);
  for (let index = 1; index < sections.length; index += 2)
    files.set(sections[index]!, `${sections[index + 1]!.trim()}\n`);
  return files;
}

/** Returns a file of a bundle. @throws if the bundle does not have it */
export function bundled(files: ReadonlyMap<string, string>, path: string): string {
  const content = files.get(path);
  if (content === undefined)
    throw new Error(`The bundle has no file ${path}. Its files: ${[...files.keys()].join(', ')}`);
  return content;
}

/** Runs a command that prepares the workspace. @throws if it fails */
export async function prepareWith(workspace: Workspace, command: string): Promise<void> {
  const { output, exitCode } = await workspace.run(command);
  if (exitCode !== 0) throw new Error(`The preparation failed with exit code ${exitCode}: ${command}\n${output}`);
}
