import type { Message } from '@palimpsest/core';
import { checkMessages } from '@palimpsest/core/authoring';
import { requestInput } from '../conversation/request-input.ts';
import { inspect } from '../inspect/inspect.ts';
import type { Inspection } from '../inspect/inspection.ts';
import type { SessionServices } from './session-services.ts';

/** Inspects a history as the next request would send it. @param given default: the history of the last request */
export async function inspectNow(services: SessionServices, given?: readonly Message[]): Promise<Inspection> {
  const { engine, queue, viewer } = services;
  const { intake, requests } = services.conversation;
  if (given) checkMessages(given);
  await queue.opened();
  const input = requestInput(intake, [...(given ?? requests.lastSource)], requests.lastInput ?? {});
  return inspect(engine.ready.name, input.intake, viewer.view(input));
}
