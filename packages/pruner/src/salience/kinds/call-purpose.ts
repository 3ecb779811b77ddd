import { isActingTool, readToolName, toolClass } from '@palimpsest/agents';
import type { TranscriptCall } from '../read/read-transcript-lines.ts';

/** Why a tool was called: to look something up, to show something in a shell, to change a file, or to do something else. */
export type CallPurpose = 'lookup' | 'display' | 'change' | 'action';

/** Matches shell commands that show files or their content, unless they only filter another command's output. */
const displaying =
  /(?:^|&&|;|\n)\s{0,8}(?:sudo )?(?:cat|head|tail|less|nl|bat|sed -n|awk|e?grep|rg|ag|find|fd|ls|tree|jq|curl|wget|git (?:-C \S{1,300} )?(?:show|diff|log|grep|blame|ls-files))\b(?!\s{0,8}>)/;

/** Determines why a tool was called from the call's name and target. An unknown tool counts as a lookup. */
export function callPurpose({ name, target }: TranscriptCall): CallPurpose {
  const kind = toolClass(readToolName(name).tool);
  if (kind === 'command') return displaying.test(target) ? 'display' : 'action';
  // For an editor that also shows files, the target is its command.
  return kind === 'write' || (kind === 'several' && target !== 'view') ? 'change' : 'lookup';
}

/** True for a call that did something itself: a command, a change, a booking. Its result states how it ended. */
export function isAction(call: TranscriptCall): boolean {
  const purpose = callPurpose(call);
  if (purpose === 'action' || purpose === 'change') return true;
  const { tool } = readToolName(call.name);
  return toolClass(tool) === 'generic' && isActingTool(tool);
}

/** True for a call that did something, other than to look something up: an action, or a delegated task. */
export function isStep(call: TranscriptCall): boolean {
  return isAction(call) || toolClass(readToolName(call.name).tool) === 'delegate';
}
