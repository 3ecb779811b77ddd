import type { Message, Usage } from '@palimpsest/core';
import type { Search } from '../search/searching-agent.ts';

/** A call of a model that a policy makes besides the agent's requests. */
export interface SummaryCall {
  readonly inputTokens: number;
  /** The part of the input that is a prefix of the agent's last request, and is read from the cache while it is warm. */
  readonly prefixTokens: number;
  readonly outputTokens: number;
  /** True for a policy that uses a small model instead of the agent's. */
  readonly bySmallModel?: boolean | undefined;
}

/** A request that a policy has prepared. */
interface Prepared {
  readonly prompt: readonly Message[];
  readonly calls: readonly SummaryCall[];
  /** Number of times it rewrote what was sent before. */
  readonly rewrites: number;
}

/** What a policy knows of the world. */
export interface Simulated {
  /** Context window, in tokens. */
  readonly window: number;
  readonly countMessage: (message: Message) => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** True for a user message with a person's words. */
  readonly isFromPerson: (message: Message) => boolean;
}

/** A policy at work on one conversation. */
export interface PolicyRun {
  /** @param history all messages of the conversation so far, none rewritten */
  prepare(history: readonly Message[]): Promise<Prepared>;
  noteAnswer(usage: Usage): void;
  /** Searches what is not in the prompt. Absent for a policy without tools for it. */
  readonly search?: Search | undefined;
}

/** When and how an agent's context is made smaller. */
export interface Policy {
  readonly name: string;
  /** What the simulation does: trigger, what is kept, calls. */
  readonly rule: string;
  /** Where the figures come from; `null` for ours. */
  readonly source: string | null;
  open(world: Simulated): PolicyRun;
}
