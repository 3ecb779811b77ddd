import { readToolName, toolClass } from '@palimpsest/core/tools';
import type { TurnCall } from '../read/read-turns.ts';

/** What a call was made for: to look something up, to have a shell show it, or to do something. */
export type CallPurpose = 'found' | 'shown' | 'done';

/** A shell asked to show files or what is in them, not as the filter of something that runs. */
const showing =
  /(?:^|&&|;|\n)\s{0,8}(?:sudo )?(?:cat|head|tail|less|nl|bat|sed -n|awk|e?grep|rg|ag|find|fd|ls|tree|jq|curl|wget|git (?:-C \S{1,300} )?(?:show|diff|log|grep|blame|ls-files))\b(?!\s{0,8}>)/;

/** Reads from name and target what a call was made for; what is not known was made to find something. */
export function callPurpose({ name, target }: TurnCall): CallPurpose {
  const kind = toolClass(readToolName(name).tool);
  if (kind === 'command') return showing.test(target) ? 'shown' : 'done';
  // Editors that also show files are told what to do.
  return kind === 'write' || (kind === 'several' && target !== 'view') ? 'done' : 'found';
}
