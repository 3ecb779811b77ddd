import { apply, type Message, type MessageOutcome, type Origin, type Provenance } from '@palimpsest/core';
import { type Checkpoint, matches } from './checkpoint.ts';
import { PlanRefused } from './restored-plan.ts';

/** A conversation with its newest matching checkpoint applied. */
export interface Projection {
  readonly messages: readonly Message[];
  /** Relative to the repaired conversation. */
  readonly provenance: Provenance;
  /** `null` when no checkpoint matches: the conversation is unchanged. */
  readonly checkpoint: Checkpoint | null;
}

/** Callbacks from a checkpoint chain to its session. */
export interface ChainHost {
  /** Why the projection of a stored plan must not be used; `null` when it may be used. */
  problemWith(projection: Projection, messages: readonly Message[]): string | null;
  /** Called after an unusable stored checkpoint was removed. */
  onDrop(checkpoint: Checkpoint, reason: string): void;
}

interface Prefix {
  readonly source: readonly Message[];
  readonly messages: readonly Message[];
  readonly provenance: Provenance;
}

/** The checkpoints of a session, oldest first. Projects conversations, with the same message objects every turn. */
export class CheckpointChain {
  readonly #maxCheckpoints: number;
  readonly #host: ChainHost;
  #checkpoints: readonly Checkpoint[] = [];
  /** Of the last used checkpoint only. A cache of older ones would keep messages alive that the caller has released. */
  #prefix: { readonly of: Checkpoint; readonly prefix: Prefix } | null = null;

  /** @param maxCheckpoints number of checkpoints kept; the oldest are dropped first */
  constructor(maxCheckpoints: number, host: ChainHost) {
    this.#maxCheckpoints = maxCheckpoints;
    this.#host = host;
  }

  get checkpoints(): readonly Checkpoint[] {
    return this.#checkpoints;
  }

  set(checkpoints: readonly Checkpoint[]): void {
    this.#checkpoints = checkpoints.slice(-this.#maxCheckpoints);
  }

  add(checkpoint: Checkpoint): void {
    this.set([...this.#checkpoints, checkpoint]);
  }

  remove(checkpoint: Checkpoint): void {
    this.#checkpoints = this.#checkpoints.filter((other) => other !== checkpoint);
  }

  /** The newest matching checkpoint, or `null`. */
  newest(messages: readonly Message[]): Checkpoint | null {
    return this.#checkpoints.findLast((checkpoint) => matches(checkpoint, messages)) ?? null;
  }

  /** Applies the newest matching checkpoint to a conversation. */
  project(messages: readonly Message[]): Projection {
    for (let index = this.#checkpoints.length - 1; index >= 0; index--) {
      const checkpoint = this.#checkpoints[index]!;
      const prefix = matches(checkpoint, messages) ? this.#prefixOf(checkpoint, messages) : null;
      const projection = prefix && append(prefix, messages, checkpoint);
      if (projection && this.#isTrusted(projection, messages)) return projection;
    }
    return append({ source: [], messages: [], provenance: { output: [], source: [] } }, messages, null);
  }

  /** Checks a stored plan when it is first applied to a conversation, and drops it if the check fails. */
  #isTrusted(projection: Projection, messages: readonly Message[]): boolean {
    const checkpoint = projection.checkpoint!;
    if (checkpoint.plan.isTrusted) return true;
    const problem = this.#host.problemWith(projection, messages);
    if (problem !== null) this.#drop(checkpoint, problem);
    else checkpoint.plan.isTrusted = true;
    return problem === null;
  }

  #drop(checkpoint: Checkpoint, reason: string): void {
    this.remove(checkpoint);
    this.#host.onDrop(checkpoint, reason);
  }

  /** The compacted prefix of a checkpoint, computed once; `null` when its plan is damaged or refused. */
  #prefixOf(checkpoint: Checkpoint, messages: readonly Message[]): Prefix | null {
    const known = this.#prefix?.of === checkpoint ? this.#prefix.prefix : null;
    if (known?.source.every((message, index) => message === messages[index])) return known;
    const source = messages.slice(0, checkpoint.covers);
    try {
      const edits = checkpoint.plan.edits(source);
      const isWhole = edits && (checkpoint.lasting === null || checkpoint.lasting.edits(source));
      if (!isWhole) throw new Error('The plan belongs to another conversation.');
      const applied = apply(source, edits);
      const prefix = { source, messages: applied.messages as readonly Message[], provenance: applied.provenance };
      this.#prefix = { of: checkpoint, prefix };
      return prefix;
    } catch (error) {
      this.#drop(checkpoint, error instanceof PlanRefused ? error.message : 'Its plan is damaged.');
      return null;
    }
  }
}

function append(prefix: Prefix, messages: readonly Message[], checkpoint: Checkpoint | null): Projection {
  const output: Message[] = [...prefix.messages];
  const origins: Origin[] = [...prefix.provenance.output];
  const outcomes: MessageOutcome[] = [...prefix.provenance.source];
  for (let from = prefix.source.length; from < messages.length; from++) {
    outcomes.push({ kind: 'kept', at: output.length });
    origins.push({ kind: 'original', from });
    output.push(messages[from]!);
  }
  return { messages: output, provenance: { output: origins, source: outcomes }, checkpoint };
}
