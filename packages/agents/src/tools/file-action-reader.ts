import type { AgentProfile, FileAction } from '../agent-profile.ts';
import { knownAgents } from '../known-agents.ts';
import { toolClass } from './tool-classifier.ts';

/** Commands of editors that use one tool for all actions, such as `str_replace_editor`. */
const editorCommands: ReadonlyMap<string, FileAction> = new Map([
  ['view', 'read'],
  ['create', 'write'],
  ['str_replace', 'edit'],
  ['insert', 'edit'],
  ['delete', 'delete'],
  ['rename', 'move'],
  ['undo_edit', 'revert'],
]);

/** What a writing tool does, by the verb at the beginning of its name. */
const writingVerbs: readonly (readonly [FileAction, RegExp])[] = [
  ['write', /^(?:write|create|save|overwrite)/],
  ['delete', /^(?:delete|remove)/],
  ['move', /^(?:move|rename)/],
  ['revert', /^undo/],
  ['patch', /^(?:apply|patch)/],
];

function collect(agents: readonly AgentProfile[]): ReadonlyMap<string, FileAction> {
  const known = new Map<string, FileAction>();
  for (const { fileTools = {} } of agents)
    for (const [action, names] of Object.entries(fileTools))
      for (const name of names) if (!known.has(name)) known.set(name, action as FileAction);
  return known;
}

const ownActions: ReadonlyMap<string, FileAction> = /* @__PURE__ */ collect(knownAgents);

/**
 * Returns what a tool does with the file it names; `null` if it does not work on one file.
 * @param tool the tool's own name in snake case (`tool` of `readToolName`)
 * @param command the argument `command` of an editor that uses one tool for all actions
 */
export function fileAction(tool: string, command?: unknown): FileAction | null {
  const own = ownActions.get(tool);
  if (own !== undefined) return own;
  const kind = toolClass(tool);
  if (kind === 'several') return (typeof command === 'string' && editorCommands.get(command)) || 'read';
  if (kind === 'read') return 'read';
  if (kind !== 'write') return null;
  return writingVerbs.find(([, verb]) => verb.test(tool))?.[0] ?? 'edit';
}
