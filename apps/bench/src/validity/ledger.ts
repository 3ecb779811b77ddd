import { type Message, PalimpsestError, type TokenCounter } from '@palimpsest/core';
import { currentRequest, type Fault, isRequestKept, ownFaults, wireChecks } from '@palimpsest/eval/measures';
import type { Compaction } from './compactions.ts';

/** Number of outputs validated in one dialect, and how many of them have new faults. */
export interface WireCount {
  /** Outputs of valid inputs, and how many of them have a fault. */
  readonly clean: number;
  readonly cleanBroken: number;
  /** Outputs of faulty inputs, and how many of them have a new fault. */
  readonly flawed: number;
  readonly flawedBroken: number;
}

const nothing: WireCount = { clean: 0, cleanBroken: 0, flawed: 0, flawedBroken: 0 };

/** Facts about an input, computed once for all of its outputs. */
export interface KnownInput {
  readonly faults: ReadonlyMap<string, readonly Fault[]>;
  readonly request: readonly string[];
}

export function knownInput(messages: readonly Message[], counter: TokenCounter): KnownInput {
  return {
    faults: new Map(wireChecks.map(({ name, faultsOf }) => [name, faultsOf(messages)])),
    request: currentRequest(messages, counter),
  };
}

/** Counts over many outputs: faults by dialect, and whether the current request was kept. */
export class Ledger {
  readonly wire = new Map<string, WireCount>();
  /** All outputs. */
  outputs = 0;
  /** Outputs of inputs that have a current request. */
  withRequest = 0;
  requestKept = 0;
  /** Compressions that threw an error, contract violations included. */
  refused = 0;
  /** The first 30 problems, each with the label of its compression. */
  readonly examples: string[] = [];

  /** Validates one output in every dialect and counts the result. @param label name of the compression, for the examples */
  add(label: string, input: KnownInput, { output, sources }: Pick<Compaction, 'output' | 'sources'>): void {
    this.outputs++;
    for (const { name, traceable, faultsOf } of wireChecks) {
      const before = input.faults.get(name)!;
      if (before.length === 0 || traceable) this.judge(label, name, before, faultsOf(output), sources);
    }
    if (input.request.length === 0) return;
    this.withRequest++;
    if (isRequestKept(input.request, output)) this.requestKept++;
    else this.#note(`${label}: the current request is not kept word for word`);
  }

  /** Counts the validation of one output in one dialect. */
  judge(
    label: string,
    dialect: string,
    before: readonly Fault[],
    after: readonly Fault[],
    sources?: ReadonlyMap<unknown, unknown>,
  ): void {
    const own = ownFaults(before, after, sources);
    const count = this.wire.get(dialect) ?? nothing;
    const broken = own.length > 0 ? 1 : 0;
    this.wire.set(
      dialect,
      before.length === 0
        ? { ...count, clean: count.clean + 1, cleanBroken: count.cleanBroken + broken }
        : { ...count, flawed: count.flawed + 1, flawedBroken: count.flawedBroken + broken },
    );
    if (broken) this.#note(`${label}: ${own[0]!.rule} (${dialect})`);
  }

  /** Runs a compression. If it throws, counts the error and continues. */
  async attempt(label: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.refused++;
      this.#note(`${label}: ${PalimpsestError.is(error) ? `${error.code}, ${error.message}` : String(error)}`);
    }
  }

  /** Outputs with new faults, summed over all dialects, plus failed compressions. */
  get violations(): number {
    return [...this.wire.values()].reduce((sum, one) => sum + one.cleanBroken + one.flawedBroken, this.refused);
  }

  #note(line: string): void {
    if (this.examples.length < 30) this.examples.push(line);
  }
}
