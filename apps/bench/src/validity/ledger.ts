import { type Message, PalimpsestError, type TokenCounter } from '@palimpsest/core';
import type { Compaction } from './compactions.ts';
import { currentRequest, saysStill } from './last-request.ts';
import { type Fault, ownFaults, wireChecks } from './wire-check.ts';

/** How often a dialect was asked, and how often it would refuse what was accepted before. */
export interface WireCount {
  /** Outputs of inputs with nothing wrong, and how many of them have a fault. */
  readonly clean: number;
  readonly cleanBroken: number;
  /** Outputs of inputs that had faults already, and how many have one more. */
  readonly flawed: number;
  readonly flawedBroken: number;
}

const nothing: WireCount = { clean: 0, cleanBroken: 0, flawed: 0, flawedBroken: 0 };

/** What is looked up once of an input, for everything that is made of it. */
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

/** What was counted over many outputs: what each dialect says of them, and whether the current request is still there. */
export class Ledger {
  readonly wire = new Map<string, WireCount>();
  /** Outputs in all, and of inputs in which somebody asks for something. */
  outputs = 0;
  withRequest = 0;
  requestKept = 0;
  /** Compressions that the contract, or an error, stopped. */
  refused = 0;
  /** What went wrong where, the first of it. */
  readonly examples: string[] = [];

  /** Adds one output, read as every dialect reads it. @param label what it is, for the examples */
  add(label: string, input: KnownInput, { output, sources }: Pick<Compaction, 'output' | 'sources'>): void {
    this.outputs++;
    for (const { name, traceable, faultsOf } of wireChecks) {
      const before = input.faults.get(name)!;
      if (before.length === 0 || traceable) this.judge(label, name, before, faultsOf(output), sources);
    }
    if (input.request.length === 0) return;
    this.withRequest++;
    if (saysStill(input.request, output)) this.requestKept++;
    else this.#note(`${label}: the current request is not there word for word`);
  }

  /** Adds what one dialect says of one output. */
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

  /** Runs a compression; one that throws is counted and left. */
  async attempt(label: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.refused++;
      this.#note(`${label}: ${PalimpsestError.is(error) ? `${error.code}, ${error.message}` : String(error)}`);
    }
  }

  /** Outputs with a fault of their own, over all dialects, and compressions that were stopped. */
  get violations(): number {
    return [...this.wire.values()].reduce((sum, one) => sum + one.cleanBroken + one.flawedBroken, this.refused);
  }

  #note(line: string): void {
    if (this.examples.length < 30) this.examples.push(line);
  }
}
