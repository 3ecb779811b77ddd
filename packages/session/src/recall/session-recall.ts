import type { Clock, Message, Provenance, ToolSchema } from '@palimpsest/core';
import { createRecall, type Recall, type RecallRef, recallTools, refsOfHidden } from '@palimpsest/recall';
import type { EventPublisher } from '../hooks/event-publisher.ts';
import type { SessionRecallOptions } from '../options/recall-options.ts';
import { OneAtATime } from '../scheduling/one-at-a-time.ts';

/** The parts of its session that a {@link SessionRecall} uses. */
export interface RecallParts {
  readonly id: string;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly countText: (text: string) => number;
  readonly events: Pick<EventPublisher, 'publish'>;
}

/** What the model sees of a history. */
export interface ShownHistory {
  readonly messages: readonly Message[];
  readonly provenance: Provenance;
}

const noTools: readonly ToolSchema[] = [];

/** The tools `recall` and `expand` of a session, over its own history. Off without options. */
export class SessionRecall {
  #isOn: boolean;
  readonly #parts: RecallParts;
  readonly #options: SessionRecallOptions;
  readonly #calls: OneAtATime = new OneAtATime();
  #recall: Recall | null = null;

  constructor(options: SessionRecallOptions | null, parts: RecallParts) {
    this.#isOn = options !== null;
    this.#options = options ?? {};
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  turnOff(): void {
    this.#isOn = false;
  }

  /** The declarations of the tools; none when they are off. */
  get tools(): readonly ToolSchema[] {
    return this.isOn ? recallTools : noTools;
  }

  /** Answers a call from what the model no longer sees. Keeps the index for the next call, but not the history. */
  answer(name: string, input: unknown, history: readonly Message[], shown: ShownHistory): Promise<string> {
    const recall = this.#ready();
    // One at a time, because calls in parallel can be about different histories.
    return this.#calls.run(async () => {
      try {
        recall.update(history, shown);
        return await recall.callTool(name, input);
      } finally {
        recall.update([]);
      }
    });
  }

  /** The refs of texts that the model no longer sees, by message index. */
  refs(history: readonly Message[], shown: ShownHistory): ReadonlyMap<number, readonly RecallRef[]> {
    return refsOfHidden(this.#parts.id, history, shown);
  }

  async archive(messages: readonly Message[]): Promise<void> {
    await this.#ready().archive(messages);
  }

  /** Forgets the archived messages of the conversation. */
  async clear(): Promise<void> {
    if (this.isOn) await this.#ready().clearArchive();
  }

  /** Frees the memory of the index. The next call rebuilds it. */
  release(): void {
    this.#recall?.release();
  }

  #ready(): Recall {
    const { id, clock, redact, countText, events } = this.#parts;
    this.#recall ??= createRecall({
      ...this.#options,
      sessionId: id,
      clock,
      redact,
      countText,
      onEvent: (event) => events.publish(event),
    });
    return this.#recall;
  }
}
