import type { ForeignHandoffReader } from '@palimpsest/core';
import type { CheckpointChain, Projection } from '../checkpoints/checkpoint-chain.ts';
import type { HandoffKey } from '../checkpoints/handoff-key.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import { declaresAll } from '../conversation/tool-declarations.ts';
import { textWithMark, withoutCacheMarks } from '../intake/strip-cache-marks.ts';
import type { Prompt, PromptMeasure } from '../provider/prompt-meter.ts';
import type { ProviderState } from '../provider/provider-state.ts';
import type { SessionRecall } from '../recall/session-recall.ts';
import { type Assembled, assemble } from './assemble.ts';
import { withRefNotes } from './ref-notes.ts';

/** A request as it would be sent now. */
export interface RequestView {
  readonly projection: Projection;
  readonly assembled: Assembled;
  readonly system: unknown;
  readonly request: Prompt;
  readonly size: PromptMeasure;
}

/** The parts of a session that decide how a request is sent. */
export interface ViewedParts {
  readonly compactions: { readonly chain: CheckpointChain };
  readonly handoffKey: HandoffKey;
  readonly host: { readonly reader: ForeignHandoffReader };
  readonly provider: ProviderState;
  readonly redact: (text: string) => string;
  readonly recall: SessionRecall;
}

/** Shows requests as they would be sent now: the newest checkpoint applied, refused content removed, measured. */
export class RequestViewer {
  readonly #parts: ViewedParts;

  constructor(parts: ViewedParts) {
    this.#parts = parts;
  }

  view(input: RequestInput): RequestView {
    const { compactions, host, provider } = this.#parts;
    const { meter, model, stripped } = provider;
    const projection = compactions.chain.project(input.intake.messages);
    const assembled = assemble(input.intake, projection, host.reader, (message, at) =>
      stripped.apply(message, at, model.id),
    );
    const noted = this.#withRefs(input, assembled);
    const rebuilt = projection.checkpoint?.overlay.system ?? null;
    const isRebuilt = rebuilt !== null && input.system !== undefined;
    const system = isRebuilt ? textWithMark(input.system, rebuilt) : input.system;
    const request = { messages: noted.messages.map(withoutCacheMarks), tools: input.tools, system };
    return { projection, assembled: noted, system, request, size: meter.measure(request, model.id) };
  }

  /** Refs are in a request exactly when it declares the tools that read them. */
  #withRefs({ intake, tools }: RequestInput, assembled: Assembled): Assembled {
    const { recall, handoffKey, redact } = this.#parts;
    if (!recall.isOn) return assembled;
    const refs = declaresAll(tools, recall.tools) ? recall.refs(intake.source, assembled) : null;
    return withRefNotes(assembled, { source: intake.source, refs, key: handoffKey.value, redact });
  }
}
