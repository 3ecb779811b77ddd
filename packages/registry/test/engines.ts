import type { Budget, ModelInfo } from '@palimpsest/core';
import {
  apiVersion,
  Draft,
  defineEngine,
  type EnginePlanner,
  type EnginePlugin,
  placeHandoff,
} from '@palimpsest/core/authoring';

export function budget({ contextLength }: ModelInfo): Budget {
  return {
    contextLength,
    usableTokens: contextLength,
    thresholdTokens: contextLength / 2,
    tailTokens: contextLength / 4,
    summaryTokens: 1_000,
  };
}

export interface Count {
  readonly passes: number;
}

/** A small working engine: replaces everything between the first request and the last message with one handoff. */
export function trimmer(body = 'The files were read.'): EnginePlanner<Count> {
  return {
    initial: { passes: 0 },
    budget,
    async plan({ transcript, state }) {
      const draft = new Draft(transcript);
      if (transcript.groups.length > 4)
        placeHandoff(draft, [1, transcript.groups.length - 2], body, { reason: { code: 'summarize' } });
      return { edits: draft.edits(), state: { passes: state.passes + 1 } };
    },
  };
}

/** Creates a plugin for a planner. */
export function plugin(name: string, planner: () => EnginePlanner<Count>): EnginePlugin {
  return defineEngine({ name, apiVersion, create: () => planner() });
}

/** Creates a plugin from the trimmer with some properties replaced by values of any type, as in a faulty plugin. */
export function oddPlugin(name: string, odd: Record<string, unknown>): EnginePlugin {
  return plugin(name, () => ({ ...trimmer(), ...odd }) as EnginePlanner<Count>);
}
