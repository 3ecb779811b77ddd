/** The speakers of turns, by their ShareGPT names. */
export const turnKinds = ['system', 'human', 'gpt', 'tool'] as const;

/** The speaker of a turn, by its ShareGPT name. */
export type TurnKind = (typeof turnKinds)[number];

/** The values of `from` in data sets: ShareGPT's own, then those of its tool-calling variants. */
const fromNames = mapOf({
  system: 'system',
  human: 'human user',
  gpt: 'gpt assistant chatgpt model bot bing bard function_call tool_call',
  tool: 'tool observation function_response tool_response function ipython',
});

/** The roles of OpenAI chat rows. */
const roleNames = mapOf({ system: 'system developer', human: 'user', gpt: 'assistant', tool: 'tool function' });

function mapOf(names: Readonly<Record<TurnKind, string>>): ReadonlyMap<string, TurnKind> {
  return new Map(turnKinds.flatMap((kind) => names[kind].split(' ').map((name) => [name, kind] as const)));
}

/** The kind for a value of `from`; `null` if it is unknown. */
export function kindOfFrom(name: string): TurnKind | null {
  return fromNames.get(name) ?? null;
}

/** The kind for a value of `role`; `null` if it is unknown. */
export function kindOfRole(name: string): TurnKind | null {
  return roleNames.get(name) ?? null;
}
