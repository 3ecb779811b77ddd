import { answerToolCall } from '../engine/engine-tools.ts';
import { switchModel } from '../model/switch-model.ts';
import type { Session } from '../session.ts';
import type { SessionServices } from '../session-services.ts';

type EngineOperations = Pick<Session, 'engine' | 'updateModel' | 'status' | 'on' | 'tools' | 'callTool'>;

/** The operations on the engine, its tools, and what a session shows about itself. */
export function engineOperations(services: SessionServices): EngineOperations {
  const { automatic, chain, engine, events, id, model, queue, requests } = services;
  return {
    engine: () => queue.run(async () => engine.ready),
    updateModel: (next) => switchModel(services, next),
    status: () => ({
      id,
      model: model.info,
      contextLength: model.tokens,
      checkpoints: chain.checkpoints.map(({ number }) => number),
      held: automatic.isHeld,
      engine: engine.current?.status() ?? null,
    }),
    on: (listener) => events.on(listener),
    async tools() {
      await queue.opened();
      return engine.ready.toolSchemas();
    },
    async callTool(name, input, { messages = requests.lastSource, signal } = {}) {
      await queue.opened();
      return answerToolCall(engine.ready, name, input, { messages, signal });
    },
  };
}
