/** The speaker of a turn, by its ShareGPT name. */
export type TurnKind = 'system' | 'human' | 'gpt' | 'tool';

/** The values of `from` in data sets: ShareGPT's own first, then those of its tool-calling variants. */
const fromNames: ReadonlyMap<string, TurnKind> = new Map([
  ['system', 'system'],
  ['human', 'human'],
  ['gpt', 'gpt'],
  ['tool', 'tool'],
  ['user', 'human'],
  ['assistant', 'gpt'],
  ['chatgpt', 'gpt'],
  ['model', 'gpt'],
  ['bot', 'gpt'],
  ['bing', 'gpt'],
  ['bard', 'gpt'],
  ['function_call', 'gpt'],
  ['tool_call', 'gpt'],
  ['observation', 'tool'],
  ['function_response', 'tool'],
  ['tool_response', 'tool'],
  ['function', 'tool'],
  ['ipython', 'tool'],
]);

/** The roles of OpenAI chat rows. */
const roleNames: ReadonlyMap<string, TurnKind> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'human'],
  ['assistant', 'gpt'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** The kind for a value of `from`; `null` if it is unknown. */
export function kindOfFrom(name: string): TurnKind | null {
  return fromNames.get(name) ?? null;
}

/** The kind for a value of `role`; `null` if it is unknown. */
export function kindOfRole(name: string): TurnKind | null {
  return roleNames.get(name) ?? null;
}
