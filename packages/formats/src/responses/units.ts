import type { ResponsesItem } from './conversation.ts';
import { callIdOf, kindOf, roleOf } from './item.ts';

/** The indices of the items that one core message is made from. Any unit may contain items of kind `kept`. */
export interface ItemUnit {
  readonly kind: 'assistant' | 'result' | 'message' | 'kept';
  readonly items: number[];
}

/**
 * Splits items into units. A run of items of the model (thoughts, a text, calls) is one assistant message, because parallel
 * calls belong together, and so do a thought and the item after it. Results of calls stored by the provider are `kept`.
 */
export function unitsOf(items: readonly ResponsesItem[]): ItemUnit[] {
  const splitter = new Splitter();
  items.forEach((item, at) => {
    splitter.add(item, at);
  });
  return splitter.units;
}

class Splitter {
  readonly units: ItemUnit[] = [];
  /** The current run of the assistant. */
  #run: ItemUnit | null = null;
  /** Facts about the run, so that no item is checked twice. */
  #hasMessage = false;
  #isThoughts = true;
  /** Calls of the newest run that wait for their output. */
  readonly #open = new Set<string>();
  readonly #called = new Set<string>();
  /** Programs without output yet. All items until their output belong to them. */
  readonly #programs = new Set<string>();

  add(item: ResponsesItem, at: number): void {
    const kind = kindOf(item);
    if (this.#programs.size > 0) {
      this.#run!.items.push(at);
      if (item.type === 'program_output') this.#programs.delete(callIdOf(item));
    } else if (kind === 'message' && roleOf(item) !== 'assistant') this.#start('message', at);
    else if (kind === 'output') this.#answer(item, at);
    else if (kind === 'kept') this.#keep(at);
    else this.#grow(item, kind, at);
  }

  #start(kind: ItemUnit['kind'], at: number): ItemUnit {
    const unit: ItemUnit = { kind, items: [at] };
    this.units.push(unit);
    this.#run = null;
    return unit;
  }

  #answer(item: ResponsesItem, at: number): void {
    const id = callIdOf(item);
    this.#open.delete(id);
    if (this.#called.has(id)) this.#start('result', at);
    else this.#keep(at);
  }

  #keep(at: number): void {
    const last = this.units.at(-1);
    // Between calls and their results, the item cannot be a separate message. A thought and the item after it must stay together.
    const inside = this.#open.size > 0 && last && last.kind !== 'kept';
    if (inside) last.items.push(at);
    else if (this.#run && this.#isThoughts) {
      this.units[this.units.length - 1] = { kind: 'kept', items: [...this.#run.items, at] };
      this.#run = null;
    } else this.#start('kept', at);
  }

  #grow(item: ResponsesItem, kind: ReturnType<typeof kindOf>, at: number): void {
    if (this.#run && !this.#startsMessage(kind)) this.#run.items.push(at);
    else {
      this.#open.clear();
      this.#run = this.#start('assistant', at);
      this.#hasMessage = false;
      this.#isThoughts = true;
    }
    this.#hasMessage ||= kind === 'message';
    this.#isThoughts &&= kind === 'thought';
    if (kind === 'program') this.#programs.add(callIdOf(item));
    if (kind !== 'call') return;
    this.#open.add(callIdOf(item));
    this.#called.add(callIdOf(item));
  }

  /** True if an item begins another message: a second text, or a thought after other items, unless calls are pending. */
  #startsMessage(kind: ReturnType<typeof kindOf>): boolean {
    if (this.#open.size > 0) return false;
    if (kind === 'thought') return !this.#isThoughts;
    return kind === 'message' && this.#hasMessage;
  }
}
