import { readFileSync } from 'node:fs';
import type { Session } from './session.ts';
import type { ToolSet } from './tools/tool-set.ts';
import type { Workspace } from './workspace.ts';

/** A written session: who says what, and what is called. What the calls answer is not written but happens. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The project's folder below the neutral home. */
  readonly project: string;
  /** The session's first moment, an ISO date: commits are dated from it. */
  readonly startedAt: string;
  readonly tools: ToolSet;
  /** What lies in the workspace before the session begins; not recorded. */
  prepare(workspace: Workspace): Promise<void>;
  play(session: Session): Promise<void>;
}

/**
 * Reads a bundle of files written one after the other, each under a line `=== its/path`: the sources of a scratch
 * project are data of the scenario, and stay out of reach of this repository's linter and compiler.
 */
export function readBundle(url: URL): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const sections = readFileSync(url, 'utf8').split(/^=== (.+)\n/m);
  for (let index = 1; index < sections.length; index += 2)
    files.set(sections[index]!, `${sections[index + 1]!.trim()}\n`);
  return files;
}

/** One file of a bundle; throws where it is not in it. */
export function bundled(files: ReadonlyMap<string, string>, path: string): string {
  const content = files.get(path);
  if (content === undefined) throw new Error(`The bundle has no ${path}; it has ${[...files.keys()].join(', ')}`);
  return content;
}

/** Runs a preparing command and throws where it fails. */
export async function prepareWith(workspace: Workspace, command: string): Promise<void> {
  const { output, exitCode } = await workspace.run(command);
  if (exitCode !== 0) throw new Error(`Preparing failed (${exitCode}): ${command}\n${output}`);
}
