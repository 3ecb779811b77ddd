import { type Speaker, speakerOf } from '@palimpsest/formats';

/** The speakers of turns, by their ShareGPT names. */
export const turnKinds = ['system', 'human', 'gpt', 'tool'] as const;

/** The speaker of a turn, by its ShareGPT name. */
export type TurnKind = (typeof turnKinds)[number];

const kinds: Readonly<Record<Speaker, TurnKind>> = {
  system: 'system',
  user: 'human',
  assistant: 'gpt',
  call: 'gpt',
  tool: 'tool',
};

/** The roles of OpenAI chat rows. */
const roles: ReadonlyMap<string, TurnKind> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'human'],
  ['assistant', 'gpt'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** The kind for a value of `from`; `null` if it is unknown. */
export function kindOfFrom(name: string): TurnKind | null {
  const speaker = speakerOf(name);
  return speaker ? kinds[speaker] : null;
}

/** The kind for a value of `role`; `null` if it is unknown. */
export function kindOfRole(name: string): TurnKind | null {
  return roles.get(name) ?? null;
}
