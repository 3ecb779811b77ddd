import type { AgentProfile } from '../agent-profile.ts';
import { knownAgents } from '../known-agents.ts';
import { rememberingNames } from './remembered-names.ts';
import type { ToolClass } from './tool-class.ts';
import { classByVerb } from './tool-verbs.ts';

/** Returns the class of a tool. `several` if one name is used for reading and writing; then the arguments decide. */
export type ToolClassifier = (tool: string) => ToolClass | 'several';

/**
 * Creates a classifier from the profiles of agents: `createToolClassifier([...knownAgents, myAgent])`. A name in a
 * profile decides; if several profiles have it, the first. Other names are classified by the verb they begin with.
 */
export function createToolClassifier(agents: readonly AgentProfile[]): ToolClassifier {
  const known = new Map<string, ToolClass | 'several'>();
  for (const { tools = {} } of agents)
    for (const [kind, names] of Object.entries(tools))
      for (const name of names) if (!known.has(name)) known.set(name, kind as ToolClass | 'several');
  return rememberingNames((tool) => known.get(tool) ?? classByVerb(tool));
}

/**
 * The class of a tool of {@link knownAgents}, by its own name in snake case (`tool` of `readToolName`); `generic` for
 * one that is not known.
 */
export const toolClass: ToolClassifier = /* @__PURE__ */ createToolClassifier(knownAgents);
