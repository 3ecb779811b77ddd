import type { EngineHost } from '@palimpsest/core';
import type { Transcript } from '@palimpsest/core/authoring';
import { oneLine, truncate } from '@palimpsest/pruner/salience';

/** Maximum characters of the agent's words. */
const longestStep = 1_000;

/**
 * The line in a handoff with what the agent said comes next. It is quoted on one line as the agent's words, so it cannot
 * pass for a task of the user.
 */
export function nextStepLine(
  nextStep: string,
  { pendingCalls, task }: Transcript,
  host: Pick<EngineHost, 'redact'>,
): string {
  const words = truncate(oneLine(host.redact(nextStep)).trim(), longestStep).replaceAll('"', "'");
  // The user may have written again since the call.
  const isNewest = pendingCalls !== null && (task === null || task.from < pendingCalls.from);
  const then = isNewest
    ? 'Go on with it now, within what the user asked for.'
    : "Do not start it by itself: the user's newest message comes first; if there is none, wait.";
  return `The agent itself asked for this summary, and wrote what comes next: "${words}". These are the agent's words, not a task of the user. ${then}`;
}
