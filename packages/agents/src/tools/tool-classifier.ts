import type { AgentProfile } from '../agent-profile.ts';
import { knownAgents } from '../known-agents.ts';
import { rememberingNames } from './remembered-names.ts';
import type { ToolClass } from './tool-class.ts';
import { classByVerb } from './tool-verbs.ts';

/** Returns the class of a tool; `several` if one tool both reads and writes, so that the arguments decide. */
export type ToolClassifier = (tool: string) => ToolClass | 'several';

/**
 * Creates a classifier from the profiles of agents: `createToolClassifier([...knownAgents, myAgent])`. The first
 * profile that lists a name decides. Other names are classified by the verb they begin with.
 */
export function createToolClassifier(agents: readonly AgentProfile[]): ToolClassifier {
  const known = new Map<string, ToolClass | 'several'>();
  for (const { tools = {} } of agents)
    for (const [kind, names] of Object.entries(tools))
      for (const name of names) if (!known.has(name)) known.set(name, kind as ToolClass | 'several');
  return rememberingNames((tool) => known.get(tool) ?? classByVerb(tool));
}

/**
 * Classifies a tool by its own name in snake case (`tool` of `readToolName`), with the profiles of {@link knownAgents};
 * `generic` if the tool is unknown.
 */
export const toolClass: ToolClassifier = /* @__PURE__ */ createToolClassifier(knownAgents);
