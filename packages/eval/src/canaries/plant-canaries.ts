import { contentText, isSystem, type Message } from '@palimpsest/core';
import { textsOf } from '../transcripts/texts.ts';
import { plantRules } from './planted-rules.ts';

/** A fact that only a planted message states. */
export interface PlantedFact {
  readonly name: string;
  readonly value: string;
}

/** A transcript with planted rules and facts. */
export interface Canaries {
  readonly messages: readonly Message[];
  readonly rules: readonly string[];
  readonly facts: readonly PlantedFact[];
}

/** Largest distance between the name and the value of a fact that still counts as kept, in characters. */
const maxReach = 120;

/**
 * Plants rules and facts early in a transcript, where only a compactor that reads what people and agents say will keep them:
 * a turn in which the user states a few rules, and one in which the user and the agent tell each other three facts. Which ones, and
 * their values, depend on the number, so that no compactor can know them.
 * @param number number of the transcript
 */
export function plantCanaries(messages: readonly Message[], number: number): Canaries {
  const { messages: ruled, rules } = plantRules(messages, number);
  const digits = (seed: number): string => String(10_000 + (((number + 1) * seed) % 89_999));
  const facts: readonly PlantedFact[] = [
    { name: 'DRYDOCK_PORT', value: digits(7_919) },
    { name: 'lantern-queue', value: `lq-${digits(6_151)}.internal` },
    { name: 'fetchTidelines', value: `src/tides/${digits(4_409)}-cache.ts` },
  ];
  const [port, queue, cause] = facts as [PlantedFact, PlantedFact, PlantedFact];
  const told: readonly Message[] = [
    {
      role: 'user',
      content: `You will need this later: the staging server listens on ${port.name} ${port.value}, and the ${queue.name} is at ${queue.value}.`,
    },
    {
      role: 'assistant',
      content: `Noted. I have also found out why the nightly run fails: ${cause.name} reads a stale entry of ${cause.value}.`,
    },
  ];
  // After the turn of the rules, so that roles still alternate.
  const at = ruled.findIndex((message) => !isSystem(message)) + 2;
  return { messages: [...ruled.slice(0, at), ...told, ...ruled.slice(at)], rules, facts };
}

/** Returns the planted rules that no message has word for word. */
export function findLostRules({ rules }: Canaries, output: readonly Message[]): string[] {
  const texts = output.map(({ content }) => contentText(content));
  return rules.filter((rule) => !texts.some((text) => text.includes(rule)));
}

/** Returns the planted facts whose name and value are nowhere close together. */
export function findLostFacts({ facts }: Canaries, output: readonly Message[]): PlantedFact[] {
  const texts = output.flatMap((message) => textsOf(message));
  return facts.filter((fact) => !texts.some((text) => isTold(fact, text)));
}

function isTold({ name, value }: PlantedFact, text: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const around = text.slice(Math.max(0, at - maxReach - name.length), at + value.length + maxReach + name.length);
    if (around.includes(name)) return true;
  }
  return false;
}
