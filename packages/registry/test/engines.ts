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

/** A small engine that works: everything between the first request and the last message becomes one handoff. */
export function trimmer(body = 'The files were read.'): EnginePlanner<Count> {
  return {
    initial: { passes: 0 },
    budget,
    async plan({ transcript, state }) {
      const draft = new Draft(transcript);
      if (transcript.groups.length > 4)
        placeHandoff(draft, [1, transcript.groups.length - 2], body, { code: 'summarize' });
      return { edits: draft.edits(), state: { passes: state.passes + 1 } };
    },
  };
}

/** A plugin around a planner. */
export function plugin(name: string, planner: () => EnginePlanner<Count>): EnginePlugin {
  return defineEngine({ name, apiVersion, create: () => planner() });
}

/** A plugin whose planner is the trimmer with something replaced, of whatever type: what a stranger may write. */
export function oddPlugin(name: string, odd: Record<string, unknown>): EnginePlugin {
  return plugin(name, () => ({ ...trimmer(), ...odd }) as EnginePlanner<Count>);
}
