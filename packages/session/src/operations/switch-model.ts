import type { ModelInfo } from '@palimpsest/core';
import { checkModel } from '@palimpsest/core/authoring';
import type { SessionParts } from '../parts/session-parts.ts';

/**
 * Switches the session to another model. The same model again has no effect.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function switchModel({ events, provider: { model, meter } }: SessionParts, next: ModelInfo): void {
  checkModel(next);
  const before = model.info;
  const fields = ['id', 'contextLength', 'maxInputTokens', 'reserveOutputTokens'] as const;
  if (fields.every((field) => next[field] === before[field])) return;
  if (next.id !== before.id) meter.switchTo(next.id);
  model.switchTo(next);
  events.publish({ type: 'model-switch', from: before.id, to: next.id, contextLength: model.tokens });
}
