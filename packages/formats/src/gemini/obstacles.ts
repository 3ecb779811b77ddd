import { isRecord } from '@palimpsest/core/authoring';
import { type Fields, fieldsIn, recordsIn } from '../record.ts';
import { textObstacle, toolsObstacle } from '../wire/request-fields.ts';
import type { Body, Obstacles } from '../wire/wire.ts';
import { fieldIn } from './part.ts';

/** Says what in a body forbids to send it with more than its client asked for. */
export function obstaclesIn(body: Body): Obstacles {
  const config = fieldsIn(fieldIn(body, 'generationConfig'));
  const fieldOf = (name: string): unknown => fieldIn(config, name);
  const count = fieldOf('candidateCount');
  const several =
    typeof count === 'number' && count > 1 ? 'The request asks for several answers (candidateCount).' : null;
  const media = asksForMedia(fieldOf('responseModalities')) ? 'The request asks for more than text.' : null;
  const stops = fieldOf('stopSequences');
  const stop = Array.isArray(stops) && stops.length > 0;
  const type = fieldOf('responseMimeType');
  const later = fieldIn(body, 'continuationToken') === undefined ? null : 'The request continues an answer.';
  const json = isRecord(fieldOf('responseFormat')) || (typeof type === 'string' && type !== 'text/plain');
  const { mode, names, isInPieces } = choiceIn(body);
  const isForced = mode === 'ANY';
  const tools = recordsIn(body.tools);
  const declares = tools.some(hasDeclarations);
  const runsTools = tools.some((tool) => !hasDeclarations(tool));
  // Older models accept no other tools along with those that Google runs.
  const mixed = runsTools && !declares ? 'The request has only tools that the provider runs.' : null;
  const pieces = isInPieces ? 'The arguments of calls are streamed in pieces.' : null;
  const choice = isForced && names === 1 ? { type: 'function' } : 'auto';
  return {
    tools: several ?? media ?? mixed ?? pieces ?? toolsObstacle(choice, json),
    text: several ?? media ?? later ?? textObstacle({ call: isForced, json, serverTools: runsTools, stop }),
  };
}

/** True for a tool with functions of the client. */
export function hasDeclarations(tool: Fields): boolean {
  return Array.isArray(fieldIn(tool, 'functionDeclarations'));
}

/** How calls are chosen: the mode, and how many functions may be called. */
function choiceIn(body: Body): { readonly mode: unknown; readonly names: number; readonly isInPieces: boolean } {
  const config = fieldsIn(fieldIn(fieldsIn(fieldIn(body, 'toolConfig')), 'functionCallingConfig'));
  const names = fieldIn(config, 'allowedFunctionNames');
  return {
    mode: config.mode,
    names: Array.isArray(names) ? names.length : 0,
    isInPieces: fieldIn(config, 'streamFunctionCallArguments') === true,
  };
}

function asksForMedia(modalities: unknown): boolean {
  return Array.isArray(modalities) && modalities.some((one) => String(one).toUpperCase() !== 'TEXT');
}
