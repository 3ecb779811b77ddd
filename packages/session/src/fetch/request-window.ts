import type { ModelInfo } from '@palimpsest/core';
import type { RequestFacts } from '@palimpsest/formats/wire';
import type { Session } from '../session.ts';

/**
 * Finds the model of a request, with no larger window than the request sets. Ollama cuts what is beyond it, without an error.
 * `undefined` keeps the session's model.
 */
export type RequestModel = (facts: Pick<RequestFacts, 'model' | 'window'>) => ModelInfo | undefined;

/** @param model as in `ContextFetchOptions` */
export function requestModels(session: Session, model?: (id: string) => ModelInfo | undefined): RequestModel {
  /** The session's model before it was limited, and after. */
  let before: ModelInfo | null = null;
  let limited: ModelInfo | null = null;
  return ({ model: named, window }) => {
    const found = named === undefined ? undefined : model?.(named);
    if (window === undefined && limited === null) return found;
    const { model: current } = session.status();
    if (current !== limited) before = current;
    const whole = found ?? before ?? current;
    if (window === undefined) {
      limited = null;
      return whole;
    }
    const next = withWindow(whole, window);
    // A model that is equal to the session's is not adopted, so the same object tells that this one is in force.
    if (!limited || !isSame(limited, next)) limited = next;
    return limited;
  };
}

/** A model whose window is not known has a context length of 0. */
function withWindow(model: ModelInfo, window: number): ModelInfo {
  const { contextLength } = model;
  return { ...model, contextLength: contextLength > 0 ? Math.min(contextLength, window) : window };
}

function isSame(one: ModelInfo, other: ModelInfo): boolean {
  const fields = ['id', 'contextLength', 'maxInputTokens', 'reserveOutputTokens'] as const;
  return fields.every((field) => one[field] === other[field]);
}
