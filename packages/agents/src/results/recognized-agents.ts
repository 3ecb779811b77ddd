import { contentText, isSystem, type Message, toolCallName, toolCalls } from '@palimpsest/core';
import type { AgentProfile } from '../agent-profile.ts';
import { knownAgents } from '../known-agents.ts';

/** The agent that presents plans with `exit_plan_mode`. */
const planning = 'Claude Code';

/** The agents that ask the user with a tool, by the name of the tool. */
const owners: ReadonlyMap<string, readonly AgentProfile[]> = /* @__PURE__ */ ownersOf(knownAgents);

function ownersOf(agents: readonly AgentProfile[]): Map<string, AgentProfile[]> {
  const found = new Map<string, AgentProfile[]>();
  for (const agent of agents) {
    const asking = [...(agent.tools?.ask ?? []), ...(agent.name === planning ? ['exit_plan_mode'] : [])];
    for (const tool of asking) found.set(tool, [...(found.get(tool) ?? []), agent]);
  }
  return found;
}

/**
 * Returns a test for tools with which the agent of a transcript asks the user. The name alone shows nothing: another
 * agent's tool may have it, and then anybody may answer. The agent is recognized by its system prompt or by other tools
 * that only it has.
 * @returns the test; it takes the name of a tool without server, as `readToolName` returns it
 */
export function askingTools(messages: readonly Message[]): (tool: string) => boolean {
  const prompt = messages
    .filter(isSystem)
    .map(({ content }) => contentText(content))
    .join('\n');
  const called = new Set(messages.flatMap((message) => toolCalls(message).map(toolCallName)));
  return (tool) =>
    (owners.get(tool) ?? []).some(
      ({ signs }) =>
        signs?.tools?.some((name) => called.has(name)) || signs?.prompts?.some((pattern) => pattern.test(prompt)),
    );
}
