import type { AgentProfile } from '../agent-profile.ts';
import { knownAgents } from '../known-agents.ts';

function collect(agents: readonly AgentProfile[]): readonly string[] {
  return [...new Set(agents.flatMap(({ stateTools: own = [] }) => own))];
}

/** Tools of {@link knownAgents} whose results are state that the agent needs, such as a todo list. */
export const stateTools: readonly string[] = /* @__PURE__ */ collect(knownAgents);
