import type { ForeignHandoffReader } from '@palimpsest/core';
import type { CheckpointChain, Projection } from '../checkpoints/checkpoint-chain.ts';
import { declaresAll } from '../engine/tool-declarations.ts';
import type { ModelWindow } from '../model/model-window.ts';
import type { HandoffKey } from '../persistence/handoff-key.ts';
import { withRefNotes } from '../recall/ref-notes.ts';
import type { SessionRecall } from '../recall/session-recall.ts';
import type { StrippedContent } from '../recovery/stripped-content.ts';
import type { RequestInput } from '../request/request-input.ts';
import type { MeteredRequest, PromptMeasure, PromptMeter } from '../usage/prompt-meter.ts';
import { type Assembled, assemble } from './assemble.ts';

/** A request as it would be sent now. */
export interface RequestView {
  readonly projection: Projection;
  readonly assembled: Assembled;
  readonly system: unknown;
  readonly request: MeteredRequest;
  readonly size: PromptMeasure;
}

/** The parts of a session that refs are written with. */
interface RefNoteParts {
  readonly recall: SessionRecall;
  readonly handoffKey: HandoffKey;
}

/** Shows requests as they would be sent now: the newest checkpoint applied, refused content removed, measured. */
export class RequestViewer {
  readonly #chain: CheckpointChain;
  readonly #stripped: StrippedContent;
  readonly #model: Pick<ModelWindow, 'id'>;
  readonly #meter: PromptMeter;
  readonly #reader: ForeignHandoffReader;
  readonly #notes: RefNoteParts;

  constructor(
    chain: CheckpointChain,
    stripped: StrippedContent,
    model: Pick<ModelWindow, 'id'>,
    meter: PromptMeter,
    reader: ForeignHandoffReader,
    notes: RefNoteParts,
  ) {
    this.#chain = chain;
    this.#stripped = stripped;
    this.#model = model;
    this.#meter = meter;
    this.#reader = reader;
    this.#notes = notes;
  }

  view(input: RequestInput): RequestView {
    const model = this.#model.id;
    const projection = this.#chain.project(input.intake.messages);
    const assembled = assemble(input.intake, projection, this.#reader, (message, at) =>
      this.#stripped.apply(message, at, model),
    );
    const noted = this.#withRefs(input, assembled);
    const rebuilt = projection.checkpoint?.overlay.system ?? null;
    const system = rebuilt !== null && input.system !== undefined ? rebuilt : input.system;
    const request = { messages: noted.plain, tools: input.tools, system };
    return { projection, assembled: noted, system, request, size: this.#meter.measure(request, model) };
  }

  /** Refs are in a request exactly when it declares the tools that read them. */
  #withRefs({ intake, tools }: RequestInput, assembled: Assembled): Assembled {
    const { recall, handoffKey } = this.#notes;
    if (!recall.isOn) return assembled;
    const refs = declaresAll(tools, recall.tools) ? recall.refs(intake.source, assembled) : null;
    return withRefNotes(assembled, refs, handoffKey.value);
  }
}
