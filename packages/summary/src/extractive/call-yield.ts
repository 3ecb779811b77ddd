import type { RecordCall } from './record-line.ts';

/** What a call was made for: to look something up, to have a shell show it, or to do something. */
export type CallYield = 'found' | 'shown' | 'done';

const running =
  /^(?:(?:execute|run|exec|local|container)_)?(?:i?python3?|bash|shell|sh|zsh|terminal|powershell|commands?|exec|code|cmd|tests?)(?:_(?:tool|cmd|command|interpreter|output|execute|exec))*$|^write_stdin$/;
const changing =
  /^(?:write|edit|create|insert|append|overwrite|replace|patch|delete|remove|rename|move|undo|update|save|apply|str_replace|search_replace|multi_edit|notebook_edit)(?:_(?:to|in|files?|content|patch|diff|edit|editor|tool|based|notebook|directory|path|text))*$/;
/** A shell asked to show files or what is in them, not as the filter of something that runs. */
const showing =
  /(?:^|&&|;|\n)\s{0,8}(?:sudo )?(?:cat|head|tail|less|nl|bat|sed -n|awk|e?grep|rg|ag|find|fd|ls|tree|jq|curl|wget|git (?:-C \S{1,300} )?(?:show|diff|log|grep|blame|ls-files))\b(?!\s{0,8}>)/;

/** Reads from name and target what a call was made for; what is not known was made to find something. */
export function callYield({ name, target }: RecordCall): CallYield {
  const tool = name
    .replace(/^.*(?:__|[./])(?=.)/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
  if (running.test(tool)) return showing.test(target) ? 'shown' : 'done';
  // Editors that also show files are told what to do.
  return changing.test(tool) && target !== 'view' ? 'done' : 'found';
}
